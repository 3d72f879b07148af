package import ChatCenterCore

/// A process of an app with something else in it than the core that the world drives by itself: the shipping driver,
/// for example. The world hands over the same events, and judges what the process reports by the same rules.
package protocol DriverHost: AnyObject {
    /// Starts a process. The one before has ended.
    func start()

    /// Ends the process between two steps, wherever it is. Nothing more is carried out or stored.
    func end()

    /// Hands an event over through the entry point at which the app, the network or the timer has it. Nothing is
    /// carried out before ``settle(_:)``, unless the entry point waits.
    func post(_ event: ChatEvent, _ conditions: HostConditions)

    /// Carries out everything that there is to do. Returns what has happened since the last time, in order.
    func settle(_ conditions: HostConditions) -> [HostReport]
}

/// What holds for a process at a moment.
package struct HostConditions: Hashable, Sendable {
    /// The device's clocks.
    package var moment: Moment
    /// The disk is full for so many commits.
    package var failingCommits: Int
    /// The process ends after so many more steps: commits, and effects that are carried out. `nil`: it does not.
    package var stepsToDeath: Int?
    /// Effects are carried out late: the process ends behind a commit, and what that commit's turn asked for is lost.
    package var losesEffects: Bool

    package init(moment: Moment, failingCommits: Int = 0, stepsToDeath: Int? = nil, losesEffects: Bool = false) {
        self.moment = moment
        self.failingCommits = failingCommits
        self.stepsToDeath = stepsToDeath
        self.losesEffects = losesEffects
    }
}

/// Something that happened in a process.
package enum HostReport: Sendable {
    /// The core has handled an event. What it asked for comes later.
    case handled(ChatEvent, [ChatEffect], ChatCore)
    case committed(StoreTransaction)
    case commitFailed(StoreTransaction, StoreFailure)
    /// An effect was carried out.
    case carriedOut(ChatEffect)
    /// `send` has returned.
    case sent(Ticket, Result<MessageID, SendRefusal>)
    /// A question was answered.
    case answered(Ticket)
    case loggedOut(Ticket, LogoutOutcome)
    /// The timer was set to another time of the device's monotonic clock.
    case armed(Int64?)
    /// So many steps of the process were counted.
    case steps(Int)
    /// The process has ended.
    case died
    /// Something is wrong that no rule can see from outside.
    case complaint(Rule, String)
}

/// Makes the hosts of a world.
package protocol DriverHostMaker {
    /// Makes the host of a device.
    ///
    /// - Parameter entropy: The numbers of the device's turns.
    func host(of device: Int, settings: ChatSettings, entropy: HostEntropy) -> any DriverHost
}

/// The random numbers of one device, by their count.
package struct HostEntropy: Hashable, Sendable {
    private let streams: RandomStreams
    private let device: Int

    init(_ streams: RandomStreams, device: Int) {
        self.streams = streams
        self.device = device
    }

    /// The number that a turn gets.
    package func turn(_ number: UInt64) -> UInt64 { streams.number(.clientEntropy, device, number) }

    /// Decides which work comes next where the order is free.
    package func order(_ number: UInt64) -> UInt64 { streams.number(.order, device, number) }
}
