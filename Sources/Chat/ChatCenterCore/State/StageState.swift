import ChatWire

/// What the screen is about, apart from the messages.
struct StageState: Hashable, Sendable {
    /// The newest screen; older ones are deaf.
    var current: ScreenID?
    /// The one that is in front of the user.
    var visible: ScreenID?
    var configurationProblem: TransportFailure?
    /// A configuration call that failed in a way that may pass is made again then.
    var configurationRetry = RetryState()
    /// Why the company blocked the client; the outer `nil` says that it did not.
    var clientBlocked: String??
    var storeProblem: StoreFailure?
    /// The operator who joined last and has not left.
    var operatorAtWork: ChatOperator?
    /// An operator is looked for.
    var isWaiting = false
    /// An operator is looked for, or another one than before.
    var isLookingForSpecialist = false
    /// The server's words about the wait.
    var averageWait: String?

    var scroll = ChatScreenScroll()
    /// Why the socket was lost; kept until there is one again.
    var lastDisconnect: DisconnectCause?

    // The hours.
    var isOutOfHours = false
    /// On the monotonic clock.
    var hoursChangeAt: Int64?

    /// Nothing of the user stays.
    mutating func forgetUser() {
        configurationProblem = nil
        configurationRetry = RetryState()
        clientBlocked = nil
        operatorAtWork = nil
        isWaiting = false
        isLookingForSpecialist = false
        averageWait = nil
        scroll.target = nil
        lastDisconnect = nil
    }
}
