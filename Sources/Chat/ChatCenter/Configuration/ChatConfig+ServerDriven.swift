import ChatCenterCore

/// Settings that the server decides unless ``shouldUseRemoteConfig`` is `false`.
extension ChatConfig {
    /// The settings below as local values, without deprecation warnings; `nil` while the server decides
    /// (``shouldUseRemoteConfig``).
    ///
    /// Setting a value sets ``shouldUseRemoteConfig`` to `false`. Setting `nil` sets it to `true`.
    ///
    /// ```swift
    /// config.localSettings = ChatLocalSettings(keepSocketActive: true)
    /// ```
    public var localSettings: ChatLocalSettings? {
        get { shouldUseRemoteConfig ? nil : serverDriven }
        set {
            shouldUseRemoteConfig = newValue == nil
            if let newValue { serverDriven = newValue }
        }
    }

    /// Whether the history can be searched. `true` by default.
    @available(*, deprecated, message: "The server sets this value; use localSettings to set it locally")
    public var searchEnabled: Bool {
        get { serverDriven.searchEnabled }
        set { serverDriven.searchEnabled = newValue }
    }

    /// Whether voice messages can be recorded and sent. `false` by default.
    @available(*, deprecated, message: "The server sets this value; use localSettings to set it locally")
    public var voiceRecordingEnabled: Bool {
        get { serverDriven.voiceRecordingEnabled }
        set { serverDriven.voiceRecordingEnabled = newValue }
    }

    /// Whether the chat scrolls to new messages, and to the latest message when the user returns to a loaded chat.
    /// `true` by default.
    @available(*, deprecated, message: "The server sets this value; use localSettings to set it locally")
    public var scrollToLatest: Bool {
        get { serverDriven.scrollToLatest }
        set { serverDriven.scrollToLatest = newValue }
    }

    /// Whether links get a preview (OpenGraph). `false` by default.
    @available(*, deprecated, message: "The server sets this value; use localSettings to set it locally")
    public var linkPreviewEnabled: Bool {
        get { serverDriven.linkPreviewEnabled }
        set { serverDriven.linkPreviewEnabled = newValue }
    }

    /// Whether the button that attaches files is shown. `true` by default.
    @available(*, deprecated, message: "The server sets this value; use localSettings to set it locally")
    public var showAttachButton: Bool {
        get { serverDriven.showAttachButton }
        set { serverDriven.showAttachButton = newValue }
    }

    /// The delay before the result of a survey is sent, in **milliseconds**. 0 by default.
    @available(*, deprecated, message: "The server sets this value; use localSettings to set it locally")
    public var surveyCompletionDelay: Int {
        get { serverDriven.surveyCompletionDelay }
        set { serverDriven.surveyCompletionDelay = newValue }
    }

    /// The number of messages that one request for the history loads. 30 by default.
    @available(*, deprecated, message: "The server sets this value; use localSettings to set it locally")
    public var historyLoadingCount: Int {
        get { serverDriven.historyLoadingCount }
        set { serverDriven.historyLoadingCount = newValue }
    }

    /// Whether the socket stays open after the user leaves the chat screen. `false` by default, because an open socket
    /// uses battery and traffic. This setting controls closing, not opening.
    @available(*, deprecated, message: "The server sets this value; use localSettings to set it locally")
    public var keepSocketActive: Bool {
        get { serverDriven.keepSocketActive }
        set { serverDriven.keepSocketActive = newValue }
    }

    /// Whether the socket stays open until the operator ends the dialog. `false` by default.
    @available(*, deprecated, message: "The server sets this value; use localSettings to set it locally")
    public var keepSocketActiveDuringOperatorSession: Bool {
        get { serverDriven.keepSocketActiveDuringOperatorSession }
        set { serverDriven.keepSocketActiveDuringOperatorSession = newValue }
    }
}
