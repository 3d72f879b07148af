package import ChatCenterCore
import ChatWire

/// One device: the process of the app with its core, the disk, the clock, the network, and the app around it.
final class ClientNode {
    let index: Int
    /// What the app asked for; deadlines are judged by it.
    let settings: ChatSettings
    var core: ChatCore
    var isAlive = true
    /// Counts the processes.
    var life = 0
    var turns: UInt64 = 0

    // The clocks.
    /// World time at which this process's monotonic clock showed 0.
    var origin: Int64 = 0
    /// Milliseconds that the wall clock is ahead.
    var skew: Int64
    /// The clock jumped: deadlines that are kept by the wall clock over a restart mean something else now.
    var hasJumped = false
    /// The timer, on the monotonic clock.
    var armed: Int64?
    var idleWakes = 0

    // The app.
    var isForeground = true
    /// When it went to the background last; world time.
    var backgroundSince: Int64 = 0
    /// Whom the app takes for authorised.
    var user: Int?
    /// The system was asked to let the process run in the background.
    var isHeld = false
    var screens: UInt64 = 0
    var visibleScreen: UInt64?
    var tickets: UInt64 = 0
    /// Counts the downloads.
    var transfers = 0
    var sends = 0
    var pins = [0]
    var answersForToken = true
    /// Who was authorised last, with which token, and the token of the one before him.
    var lastUser: Int?
    var lastToken: String?
    var tokenOfPreviousUser: String?
    /// Since when deadlines are judged without a break; world time.
    var judgedSince: Int64 = 0

    // The disk and the process.
    var failingCommits = 0
    /// The socket was ready before this turn.
    var wasReady = false
    /// A commit has failed in this turn.
    var failedNow = false
    /// A commit has succeeded in this turn.
    var committedNow = false
    /// A commit has failed, and what it held may not be in the store yet.
    var isBehind = false
    /// Set when the process is about to die.
    private(set) var plannedCrash: PlannedCrash?

    var conditions: NetworkConditions
    var watch = ClientWatch()
    /// What runs in the process in place of the core alone. `core` is then a copy of its core.
    let host: (any DriverHost)?
    /// The host has been handed frames, and has not come to them yet.
    var isSettling = false

    init(
        index: Int, settings: ChatSettings, core: ChatCore, skew: Int64, streams: RandomStreams,
        host: (any DriverHost)? = nil
    ) {
        self.index = index
        self.host = host
        self.settings = settings
        self.core = core
        self.skew = skew
        conditions = NetworkConditions(client: index, streams: streams)
    }

    var name: String { "device \(index)" }

    /// The device's clocks at a moment of the world.
    func moment(_ now: Int64) -> Moment {
        Moment(monotonic: now - origin, wall: SimulationClock.wall(now) + skew)
    }

    // MARK: The app

    /// The next ticket of the app.
    func nextTicket() -> Ticket {
        tickets += 1
        return Ticket(tickets)
    }

    /// The name of a download.
    func download(_ number: Int) -> TransferID { TransferID("d\(index)-\(number)") }

    /// The server does not have the file of every third download.
    func isMissing(_ id: TransferID) -> Bool { (0..<transfers).contains { $0 % 3 == 2 && download($0) == id } }

    /// The next message that the app sends, with so many files.
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

    /// An answer that the core has made of what the user chose on the screen: kept, so it must not be lost.
    func noteOwn(_ message: StoredMessage, of user: String) {
        guard case .own(.queued) = message.state else { return }
        sends += 1
        var sent = SentMessage(id: message.id, user: user, number: sends, text: message.content.text ?? "")
        sent.isAcknowledged = true
        sent.mayBeOvertaken = true
        watch.add(sent)
    }

    // MARK: The process

    /// From now on the process is about to die.
    func condemn(_ plannedCrash: PlannedCrash) {
        self.plannedCrash = plannedCrash
    }

    /// The process is not about to die any more.
    func pardon() {
        plannedCrash = nil
    }

    /// The process has done so many steps more of those that are left to it.
    func pass(_ steps: Int) {
        plannedCrash?.pass(steps)
    }

    /// What is carried out of the effects of one turn, if the process is about to die.
    func fate(of effects: [ChatEffect]) -> PlannedCrash.Fate {
        plannedCrash?.fate(of: effects.count) { effects[$0].isCommit } ?? .survives(effects.count)
    }

    /// The process is gone. Returns for how many milliseconds.
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

    /// The process is started again, with a clock of its own.
    func start(_ core: ChatCore, at now: Int64, _ streams: RandomStreams) {
        life += 1
        isAlive = true
        isForeground = true
        isHeld = false
        visibleScreen = nil
        origin = now - Int64(streams.number(.latency, index, UInt64(life)) % 1_000_000_000)
        self.core = core
    }

    /// What was promised by the network and the disk holds again.
    func heal(pins: [Int]) {
        conditions.heal()
        failingCommits = 0
        plannedCrash = nil
        self.pins = pins
        answersForToken = true
    }
}

/// Where the stores of a world come from: one for each device and user, the same one each time, as a disk has it.
package protocol StoreShelf: AnyObject {
    func store(device: Int, user: String) -> any ChatStore
    /// A process died: what it had open is let go.
    func processEnded(device: Int)
}

/// Stores that live as long as the world.
package final class MemoryShelf: StoreShelf {
    private var stores: [String: MemoryStore] = [:]

    package init() {}

    package func store(device: Int, user: String) -> any ChatStore {
        let key = "\(device) \(user)"
        if let store = stores[key] { return store }
        let store = MemoryStore()
        stores[key] = store
        return store
    }

    package func processEnded(device: Int) {}
}
