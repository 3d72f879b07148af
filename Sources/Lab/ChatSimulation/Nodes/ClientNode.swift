import ChatCenterCore
import ChatWire

/// A device: the app's process with its core, the disk, the clocks, the network and the app.
final class ClientNode {
    let index: Int
    /// The app's settings. The rules judge deadlines by them.
    let settings: ChatSettings
    /// The process's core. ``reading`` is faster for the values that it has.
    var core: ChatCore {
        didSet { reading = CoreReading(core) }
    }
    private(set) var reading: CoreReading
    var isAlive = true
    /// The number of process starts.
    var life = 0
    var turns: UInt64 = 0

    // The clocks.
    /// World time at which this process's monotonic clock was 0.
    var origin: Int64 = 0
    /// Milliseconds by which the wall clock is ahead.
    var skew: Int64
    /// Whether the clock jumped. Stored deadlines use the wall clock, so a jump moves them.
    var hasJumped = false
    /// The time of the timer on the monotonic clock.
    var armed: Int64?
    var idleWakes = 0

    // The app.
    var isForeground = true
    /// When the app entered the background last; world time.
    var backgroundSince: Int64 = 0
    /// The user that the app regards as authorized.
    var user: Int?
    /// Whether the app asked the system for background time.
    var isHeld = false
    var screens: UInt64 = 0
    var visibleScreen: UInt64?
    var tickets: UInt64 = 0
    /// The number of downloads.
    var transfers = 0
    var sends = 0
    var pins = [0]
    var answersForToken = true
    /// The last authorized user and that user's token, and the token of the previous user.
    var lastUser: Int?
    var lastToken: String?
    var tokenOfPreviousUser: String?
    /// Since when the process has run in the foreground without a break; world time.
    var judgedSince: Int64 = 0

    // The disk and the process.
    var failingCommits = 0
    /// Whether the socket was ready before this turn.
    var wasReady = false
    /// Whether a commit failed in this turn.
    var failedNow = false
    /// Whether a commit succeeded in this turn.
    var committedNow = false
    /// Whether a commit failed whose changes may not be in the store yet.
    var isBehind = false
    /// The planned end of the process, if one is near.
    private(set) var plannedCrash: PlannedCrash?

    var conditions: NetworkConditions
    var watch = ClientWatch()
    /// The driver that runs in the process, if the world does not drive the core itself. `core` is then a copy of the
    /// driver's core.
    let host: (any DriverHost)?
    /// Whether the host has received frames that it has not handled yet.
    var isSettling = false

    init(
        index: Int, settings: ChatSettings, core: ChatCore, skew: Int64, streams: RandomStreams,
        host: (any DriverHost)? = nil
    ) {
        self.index = index
        self.host = host
        self.settings = settings
        self.core = core
        reading = CoreReading(core)
        self.skew = skew
        conditions = NetworkConditions(client: index, streams: streams)
    }

    var name: String { "device \(index)" }

    /// The device's clocks at a world time.
    func moment(_ now: Int64) -> Moment {
        Moment(monotonic: now - origin, wall: SimulationClock.wall(now) + skew)
    }

    // MARK: The app

    /// Returns the app's next ticket.
    func nextTicket() -> Ticket {
        tickets += 1
        return Ticket(tickets)
    }

    /// The identifier of a download.
    func download(_ number: Int) -> TransferID { TransferID("d\(index)-\(number)") }

    /// Whether the server does not have this file. It lacks the file of every third download.
    func isMissing(_ id: TransferID) -> Bool { (0..<transfers).contains { $0 % 3 == 2 && download($0) == id } }

    /// Creates the app's next message with the given number of files.
    func compose(of user: String, files: Int, _ body: ContentBody) -> (id: MessageID, message: OutgoingMessage) {
        sends += 1
        let id = MessageID("c\(index)-\(sends)")
        let text = "\(user) \(index) \(sends)"
        let attached = (0..<files).map { file in
            let path = "f\(index)-\(sends)-\(file)"
            return OutgoingMessage.File(
                id: TransferID(path), file: LocalFile(path: path, name: "\(path).png", type: "image/png", size: 1000))
        }
        var message = SentMessage(id: id, user: user, number: sends, text: text)
        message.mayBeOvertaken = body != .message
        message.missingFiles = attached.map(\.id.text)
        message.files = attached.map(\.file)
        watch.add(message)
        return (id, OutgoingMessage(body, text: text, files: attached))
    }

    /// Notes a message that the core created from the user's choice on the screen. The message is stored, so it must
    /// not be lost.
    func noteOwn(_ message: StoredMessage, of user: String) {
        guard case .own(.queued) = message.state else { return }
        sends += 1
        var sent = SentMessage(id: message.id, user: user, number: sends, text: message.content.text ?? "")
        sent.isAcknowledged = true
        sent.mayBeOvertaken = true
        watch.add(sent)
    }

    // MARK: The process

    /// Plans the end of the process.
    func condemn(_ plannedCrash: PlannedCrash) {
        self.plannedCrash = plannedCrash
    }

    /// Cancels the planned end of the process.
    func pardon() {
        plannedCrash = nil
    }

    /// Counts steps of the process towards its planned end.
    func pass(_ steps: Int) {
        plannedCrash?.pass(steps)
    }

    /// Returns which effects of one turn are carried out before the planned end of the process.
    func fate(of effects: [ChatEffect]) -> PlannedCrash.Fate {
        plannedCrash?.fate(of: effects.count) { effects[$0].isCommit } ?? .survives(effects.count)
    }

    /// Ends the process. Returns the milliseconds until the next start.
    func die() -> Int64 {
        let down = plannedCrash?.down ?? 1000
        plannedCrash = nil
        isAlive = false
        isSettling = false
        armed = nil
        watch.processEnded()
        for index in watch.partings.indices { watch.partings[index].processEnded() }
        return max(1, down)
    }

    /// Starts the process again with a new monotonic clock.
    func start(_ core: ChatCore, at now: Int64, _ streams: RandomStreams) {
        life += 1
        isAlive = true
        isForeground = true
        isHeld = false
        visibleScreen = nil
        origin = now - Int64(streams.number(.latency, index, UInt64(life)) % 1_000_000_000)
        self.core = core
    }

    /// Ends all faults of the network and the disk.
    func heal(pins: [Int]) {
        conditions.heal()
        failingCommits = 0
        plannedCrash = nil
        self.pins = pins
        answersForToken = true
    }
}

/// The values of a core that the rules read several times per event. Reading each of them from the core copies the
/// whole core, which is a large value.
struct CoreReading {
    let authorisedClientID: String?
    let connection: ChatConnectionState
    let liveGeneration: Generation?
    let backgroundDeadline: Int64?
    let awaitsOutcome: Bool
    let isDialogActive: Bool
    let isTellingFarewell: Bool

    init(_ core: borrowing ChatCore) {
        authorisedClientID = core.authorisedClientID
        connection = core.connection
        liveGeneration = core.liveGeneration
        backgroundDeadline = core.backgroundDeadline
        awaitsOutcome = core.awaitsOutcome
        isDialogActive = core.isDialogActive
        isTellingFarewell = core.isTellingFarewell
    }
}
