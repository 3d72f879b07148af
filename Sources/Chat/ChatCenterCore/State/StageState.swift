import ChatWire

/// What the screen is about, apart from the messages.
struct StageState: Hashable, Sendable {
    /// The newest screen; older ones are deaf.
    var current: ScreenID?
    /// The one that is in front of the user.
    var visible: ScreenID?
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

    /// Nothing of the user stays.
    mutating func forgetUser() {
        clientBlocked = nil
        operatorAtWork = nil
        isWaiting = false
        isLookingForSpecialist = false
        averageWait = nil
        scroll.target = nil
        lastDisconnect = nil
    }
}
