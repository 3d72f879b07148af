/// What the screen is about, apart from the messages.
struct StageState: Hashable, Sendable {
    /// The newest screen; older ones are deaf.
    var current: ScreenID?
    /// The one that is in front of the user.
    var visible: ScreenID?
    /// Text for the next screen.
    var nextPrefill: String?
    /// Text for this screen's input field.
    var prefill: String?
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
}
