package import ChatCenterCore

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
    /// A commit has failed in this turn.
    var failedNow = false
    /// A commit has succeeded in this turn.
    var committedNow = false
    /// A commit has failed, and what it held may not be in the store yet.
    var isBehind = false
    /// The process dies after so many more effects; of the last of these so many were not carried out.
    var doom: (effects: Int, unperformed: Int, down: Int64)?

    var weather = Weather()
    var watch = ClientWatch()

    init(index: Int, settings: ChatSettings, core: ChatCore, skew: Int64) {
        self.index = index
        self.settings = settings
        self.core = core
        self.skew = skew
    }

    /// The device's clocks at a moment of the world.
    func moment(_ now: Int64) -> Moment {
        Moment(monotonic: now - origin, wall: SimulationClock.wall(now) + skew)
    }
}

/// The network of one device, and what is to go wrong on it next.
struct Weather: Hashable, Sendable {
    /// What is to happen to the next frames of one direction.
    struct Frames: Hashable, Sendable {
        var lost = 0
        var doubled = 0
        var swapped = 0
        var delayed = 0
        var delay: Int64 = 0
    }

    var up = Frames()
    var down = Frames()
    var cutsBeforeReply = false
    /// Nothing moves before this time.
    var silentUntil: Int64 = 0
    /// There is no network before this time.
    var noRouteUntil: Int64 = 0
    /// The server takes no read marks before this time.
    var marksRefusedUntil: Int64 = 0
    var failingCalls: [Fault.CallFailure] = []
    var failingUploads = 0
    var hangingUploads = 0
    /// Counts frames and calls, for their latencies.
    var frames: UInt64 = 0
    var calls: UInt64 = 0
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

// See ServerNode.swift.
typealias ClientCallID = CallID
typealias ClientCloseReason = CloseReason
typealias ClientMessage = StoredMessage
