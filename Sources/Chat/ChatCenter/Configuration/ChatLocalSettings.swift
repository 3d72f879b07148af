package import ChatCenterCore

/// The settings that the server's configuration overrides, as the app wants them while they are its own to decide: see
/// ``ChatConfig/localSettings``.
public struct ChatLocalSettings: Hashable, Sendable {
    package var values = LocalConfiguration.standard

    /// Makes settings with the documented defaults.
    ///
    /// - Parameters:
    ///   - keepSocketActive: See ``keepSocketActive``.
    ///   - keepSocketActiveDuringOperatorSession: See ``keepSocketActiveDuringOperatorSession``.
    public init(keepSocketActive: Bool = false, keepSocketActiveDuringOperatorSession: Bool = false) {
        values.keepSocketActive = keepSocketActive
        values.keepSocketActiveDuringOperatorSession = keepSocketActiveDuringOperatorSession
    }

    package init(_ values: LocalConfiguration) {
        self.values = values
    }

    /// Whether the history can be searched. `true` by default.
    public var searchEnabled: Bool {
        get { values.searchEnabled }
        set { values.searchEnabled = newValue }
    }

    /// Whether voice messages can be recorded and sent. `false` by default.
    public var voiceRecordingEnabled: Bool {
        get { values.voiceRecordingEnabled }
        set { values.voiceRecordingEnabled = newValue }
    }

    /// Whether the chat scrolls to new messages, and on return to a loaded chat. `true` by default.
    public var scrollToLatest: Bool {
        get { values.scrollToLatest }
        set { values.scrollToLatest = newValue }
    }

    /// Whether links get a preview (OpenGraph). `false` by default.
    public var linkPreviewEnabled: Bool {
        get { values.linkPreviewEnabled }
        set { values.linkPreviewEnabled = newValue }
    }

    /// Whether the button that attaches files is shown. `true` by default.
    public var showAttachButton: Bool {
        get { values.showAttachButton }
        set { values.showAttachButton = newValue }
    }

    /// Delay before the result of a survey is sent, in milliseconds. 0 by default.
    public var surveyCompletionDelay: Int {
        get { values.surveyCompletionDelay }
        set { values.surveyCompletionDelay = newValue }
    }

    /// How many messages one request for the history loads. 30 by default.
    public var historyLoadingCount: Int {
        get { values.historyLoadingCount }
        set { values.historyLoadingCount = newValue }
    }

    /// Whether the socket stays open when the chat screen is left. `false` by default: an open socket costs battery
    /// and traffic. It controls closing, not opening.
    public var keepSocketActive: Bool {
        get { values.keepSocketActive }
        set { values.keepSocketActive = newValue }
    }

    /// Whether the socket stays open until the operator ends the dialog. `false` by default.
    public var keepSocketActiveDuringOperatorSession: Bool {
        get { values.keepSocketActiveDuringOperatorSession }
        set { values.keepSocketActiveDuringOperatorSession = newValue }
    }
}
