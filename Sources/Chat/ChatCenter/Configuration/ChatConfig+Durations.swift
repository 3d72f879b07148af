import ChatCenterCore

/// Settings whose documented type is a bare number, with their unit in the type.
extension ChatConfig {
    /// ``unreadMessageCountDelay`` as a duration; `nil` where it is 0.
    public var unreadMessageCountInterval: Duration? {
        get { unreadMessageCountDelay > 0 ? .seconds(unreadMessageCountDelay) : nil }
        set { unreadMessageCountDelay = newValue.map { Int(clamping: max(0, $0.components.seconds)) } ?? 0 }
    }

    /// ``surveyCompletionDelay`` as a duration. Decided by the server unless ``shouldUseRemoteConfig`` is `false`.
    public var surveyCompletionInterval: Duration {
        get { .milliseconds(max(0, serverDriven.surveyCompletionDelay)) }
        set {
            let (seconds, attoseconds) = newValue.components
            let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
            serverDriven.surveyCompletionDelay =
                overflow ? .max : Int(clamping: max(0, milliseconds &+ attoseconds / 1_000_000_000_000_000))
        }
    }
}
