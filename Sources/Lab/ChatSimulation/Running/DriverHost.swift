package import ChatCenterCore

/// A process of an app that runs more than the core, for example the shipping driver. The world hands over the same
/// events, and checks the reports of the process by the same rules.
package protocol DriverHost: AnyObject {
    /// Starts a process. The previous process has ended.
    func start()

    /// Ends the process between two steps. No later effect is carried out, and nothing more is stored.
    func end()

    /// Hands an event to the entry point that the app, the network or the timer uses. Effects are carried out in
    /// ``settle(_:)``, unless the entry point waits for them.
    func post(_ event: ChatEvent, _ conditions: HostConditions)

    /// Carries out all pending work. Returns the reports since the last call, in order.
    func settle(_ conditions: HostConditions) -> [HostReport]
}

/// The conditions for a process at a given time.
package struct HostConditions: Hashable, Sendable {
    /// The device's clocks.
    package var moment: Moment
    /// The number of next commits that fail because the disk is full.
    package var failingCommits: Int
    /// The number of steps until the process ends, or `nil`. Commits and carried out effects are steps.
    package var stepsToDeath: Int?
    /// Whether effects are carried out late: the process ends after a commit and loses the effects of that commit's
    /// turn.
    package var losesEffects: Bool

    package init(moment: Moment, failingCommits: Int = 0, stepsToDeath: Int? = nil, losesEffects: Bool = false) {
        self.moment = moment
        self.failingCommits = failingCommits
        self.stepsToDeath = stepsToDeath
        self.losesEffects = losesEffects
    }
}

/// A report of what happened in a process.
package enum HostReport: Sendable {
    /// The core handled an event. Its effects are reported later.
    case handled(ChatEvent, [ChatEffect], ChatCore)
    case committed(StoreTransaction)
    case commitFailed(StoreTransaction, StoreFailure)
    /// An effect was carried out.
    case carriedOut(ChatEffect)
    /// `send` has returned.
    case sent(Ticket, Result<MessageID, SendRefusal>)
    /// The caller with this ticket was answered.
    case answered(Ticket)
    case loggedOut(Ticket, LogoutOutcome)
    /// The timer was set to a time on the device's monotonic clock.
    case armed(Int64?)
    /// The process made a number of steps.
    case steps(Int)
    /// The process has ended.
    case died
    /// A violation of a rule that is visible only inside the process.
    case complaint(Rule, String)
}

/// Makes the hosts of a world.
package protocol DriverHostMaker {
    /// Makes the host of a device.
    ///
    /// - Parameter entropy: The numbers of the device's turns.
    func host(of device: Int, settings: ChatSettings, entropy: HostEntropy) -> any DriverHost
}

/// The random numbers of one device.
package struct HostEntropy: Hashable, Sendable {
    private let streams: RandomStreams
    private let device: Int

    init(_ streams: RandomStreams, device: Int) {
        self.streams = streams
        self.device = device
    }

    /// Returns the entropy of a turn.
    package func turn(_ number: UInt64) -> UInt64 { streams.number(.clientEntropy, device, number) }

    /// Returns the number that selects the next work where the order is not determined.
    package func order(_ number: UInt64) -> UInt64 { streams.number(.order, device, number) }
}
