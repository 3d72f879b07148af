/// The application's own values for settings that the server's configuration can override. See
/// `ChatConfig.localSettings`.
public struct ChatLocalSettings: Hashable, Sendable {
    /// Whether the history can be searched. `true` by default.
    public var searchEnabled = true
    /// Whether voice messages can be recorded and sent. `false` by default.
    public var voiceRecordingEnabled = false
    /// Whether the chat scrolls to new messages, and on return to a loaded chat. `true` by default.
    public var scrollToLatest = true
    /// Whether links get a preview (OpenGraph). `false` by default.
    public var linkPreviewEnabled = false
    /// Whether the button that attaches files is shown. `true` by default.
    public var showAttachButton = true
    /// Delay before the result of a survey is sent, in milliseconds. 0 by default.
    public var surveyCompletionDelay = 0
    /// How many messages one request for the history loads. 30 by default.
    public var historyLoadingCount = 30
    /// Whether the socket stays open when the chat screen is left. `false` by default: an open socket costs battery
    /// and traffic. It controls closing, not opening.
    public var keepSocketActive: Bool
    /// Whether the socket stays open until the operator ends the dialog. `false` by default.
    public var keepSocketActiveDuringOperatorSession: Bool

    /// Makes settings with the documented defaults.
    ///
    /// - Parameters:
    ///   - keepSocketActive: See ``keepSocketActive``.
    ///   - keepSocketActiveDuringOperatorSession: See ``keepSocketActiveDuringOperatorSession``.
    public init(keepSocketActive: Bool = false, keepSocketActiveDuringOperatorSession: Bool = false) {
        self.keepSocketActive = keepSocketActive
        self.keepSocketActiveDuringOperatorSession = keepSocketActiveDuringOperatorSession
    }

    /// The documented defaults.
    package static let standard = ChatLocalSettings()
}
