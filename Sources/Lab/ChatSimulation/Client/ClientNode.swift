import ChatCenterCore

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
