import ChatWire

/// All effective settings, with their origins. A value from the server overrides the host application's value where
/// that is allowed.
public struct EffectiveConfiguration: Hashable, Sendable {
    /// Whether the history can be searched.
    public internal(set) var searchEnabled: EffectiveSetting<Bool>
    /// Whether voice messages can be recorded and sent.
    public internal(set) var voiceRecordingEnabled: EffectiveSetting<Bool>
    /// Whether the screen scrolls to new messages, and to the newest one when it appears again.
    public internal(set) var scrollToLatest: EffectiveSetting<Bool>
    /// Whether links are shown with a preview.
    public internal(set) var linkPreviewEnabled: EffectiveSetting<Bool>
    /// Whether the button that attaches files is shown.
    public internal(set) var showAttachButton: EffectiveSetting<Bool>
    /// The delay before the result of a survey is sent, in milliseconds: 0 to 600,000.
    public internal(set) var surveyCompletionDelay: EffectiveSetting<Int>
    /// The number of messages that one history request loads: 1 to 200.
    public internal(set) var historyLoadingCount: EffectiveSetting<Int>
    /// Whether an open socket stays open when the screen is closed.
    public internal(set) var keepSocketActive: EffectiveSetting<Bool>
    /// Whether an open socket stays open until the operator ends the dialog.
    public internal(set) var keepSocketActiveDuringOperatorSession: EffectiveSetting<Bool>
    /// The shortest interval between two drafts that are sent while the user types, in milliseconds: 1,000 to 60,000.
    public internal(set) var typingInterval: EffectiveSetting<Int>
    /// The silence after which the socket is probed, in milliseconds: 5,000 to 300,000. A probe must be answered within
    /// 5 s, so with the default of 15,000 an idle dead link is detected after 20 s.
    public internal(set) var pingInterval: EffectiveSetting<Int>
    /// The number of consecutive probes that may stay unanswered: 1 to 5.
    public internal(set) var pingRetries: EffectiveSetting<Int>
    /// The base of the random delay before the second attempt to connect or to upload a file, in milliseconds: 250 to
    /// 10,000.
    public internal(set) var retryInterval: EffectiveSetting<Int>
    /// The factor by which the range of that delay grows after each failure: 1 to 10. For connections it is at least 2.
    public internal(set) var retryMultiplier: EffectiveSetting<Int>
    /// How often a lost message is sent again and a failed upload is retried automatically: 0 to 100.
    public internal(set) var messageRetryCount: EffectiveSetting<Int>
    /// The shortest interval before unchanged client information is sent again on the same socket, in milliseconds: 0
    /// to 600,000.
    public internal(set) var clientInfoInterval: EffectiveSetting<Int>
    /// The server's name for the notifications that the client receives. The value is stored and passed on unchanged,
    /// because no public page explains it.
    public internal(set) var clientNotificationDisplayType: EffectiveSetting<String>
    /// Whether the server expects a `ping` action in addition to the WebSocket ping.
    public internal(set) var pingActionEnabled: EffectiveSetting<Bool>
    /// Whether a device without an address registers right after `authorize`.
    public internal(set) var registerAtFirstStart: EffectiveSetting<Bool>

    // Settings that the server cannot override.

    /// Whether the user may type.
    public internal(set) var userInputEnabled: EffectiveSetting<Bool>
    /// The interval between two requests for the unread count, in seconds: 0 to 86,400. 0 disables them.
    public internal(set) var unreadMessageCountDelay: EffectiveSetting<Int>
    /// The time limit for each step of the handshake, in milliseconds: 100 to 86,400,000.
    public internal(set) var connectionTimeout: EffectiveSetting<Int>
    /// The send timeout in milliseconds: 100 to 86,400,000. See ``SendTimeoutMode``.
    public internal(set) var sendTimeout: EffectiveSetting<Int>

    /// A value that was out of range, for the log.
    struct Clamped: Hashable, Sendable {
        var name: String
        var received: Int64
        var used: Int
    }

    /// Computes the effective settings.
    ///
    /// - Parameters:
    ///   - here: The host application's settings. A value that differs from the documented default has the origin
    ///     `local`.
    ///   - remote: The server's answer, without unusable values. Its `settings` always apply. Its `channelConfig`
    ///     applies only if `shouldUseRemoteConfig` is true.
    ///   - clamped: Receives an entry for each number that was out of range.
    init(_ here: ChatSettings, _ remote: ConfigurationAnswer?, clamped: inout [Clamped]) {
        let local = here.local
        let settings = remote?.settings
        let channel = here.shouldUseRemoteConfig ? remote?.channelConfig : nil
        func flag(_ server: Bool?, _ local: Bool, _ standard: Bool) -> EffectiveSetting<Bool> {
            if let server { return EffectiveSetting(server, .server) }
            return EffectiveSetting(local, local == standard ? .standard : .local)
        }
        func number(_ limits: RemoteNumber, _ server: Int64?, _ local: Int, _ standard: Int) -> EffectiveSetting<Int> {
            let received = server ?? Int64(local)
            let used = limits.clamped(received)
            if Int64(used) != received { clamped.append(Clamped(name: limits.name, received: received, used: used)) }
            return EffectiveSetting(used, server != nil ? .server : local == standard ? .standard : .local)
        }
        func own(_ value: Int64, _ standard: Int64) -> EffectiveSetting<Int> {
            EffectiveSetting(Int(clamping: value), value == standard ? .standard : .local)
        }
        let standard = ChatLocalSettings.standard
        searchEnabled = flag(channel?.searchEnabled, local.searchEnabled, standard.searchEnabled)
        voiceRecordingEnabled = flag(
            channel?.voiceRecordingEnabled, local.voiceRecordingEnabled, standard.voiceRecordingEnabled)
        scrollToLatest = flag(channel?.scrollToLatest, local.scrollToLatest, standard.scrollToLatest)
        linkPreviewEnabled = flag(channel?.linkPreviewEnabled, local.linkPreviewEnabled, standard.linkPreviewEnabled)
        showAttachButton = flag(channel?.showAttachButton, local.showAttachButton, standard.showAttachButton)
        surveyCompletionDelay = number(
            .surveyCompletionDelay, channel?.surveyCompletionDelay, local.surveyCompletionDelay,
            standard.surveyCompletionDelay)
        historyLoadingCount = number(
            .historyLoadingCount, channel?.historyLoadingCount, local.historyLoadingCount,
            standard.historyLoadingCount)
        keepSocketActive = flag(channel?.keepSocketActive, local.keepSocketActive, standard.keepSocketActive)
        keepSocketActiveDuringOperatorSession = flag(
            channel?.keepSocketActiveDuringOperatorSession, local.keepSocketActiveDuringOperatorSession,
            standard.keepSocketActiveDuringOperatorSession)
        typingInterval = number(.typingInterval, settings?.typingMessagesIntervalSeconds, 3, 3)
        typingInterval.value *= 1000
        pingInterval = number(.pingInterval, settings?.pingIntervalMillis, 15_000, 15_000)
        pingRetries = number(.pingRetries, settings?.pingRetries, 1, 1)
        retryInterval = number(.retryInterval, settings?.retryIntervalMillis, 1000, 1000)
        retryMultiplier = number(.retryMultiplier, settings?.retryMultiplier, 2, 2)
        messageRetryCount = number(.messageRetryCount, settings?.messageRetryCount, 10, 10)
        clientInfoInterval = number(.clientInfoInterval, settings?.sendClientInfoAfterMillis, 0, 0)
        clientNotificationDisplayType =
            settings?.clientNotificationDisplayType.map { EffectiveSetting($0, .server) }
            ?? EffectiveSetting("ALL", .standard)
        pingActionEnabled = flag(settings?.pingEnabled, false, false)
        registerAtFirstStart = flag(settings?.registerAtFirstStart, false, false)
        userInputEnabled = flag(nil, here.userInputEnabled, true)
        unreadMessageCountDelay = own(here.unreadMessageCountDelay, 0)
        connectionTimeout = own(here.connectionTimeout, 30_000)
        sendTimeout = own(here.sendTimeout, 20_000)
    }
}

/// An effective setting and its origin.
public struct EffectiveSetting<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The effective value.
    public var value: Value
    /// The origin of the value.
    public var origin: SettingOrigin

    /// Creates a setting with a value and its origin.
    public init(_ value: Value, _ origin: SettingOrigin) {
        self.value = value
        self.origin = origin
    }
}

/// The origin of an effective setting.
public enum SettingOrigin: String, Hashable, Sendable, CaseIterable {
    /// The documented default.
    case standard
    /// The host application set it.
    case local
    /// The server sent it.
    case server
}

extension EffectiveConfiguration {
    /// A value that the server overrides.
    struct Override: Hashable, Sendable {
        /// The server's name for the setting.
        var name: String
        var value: String
        /// The previous value.
        var past: String
    }

    /// Returns the values that the server overrides and did not override before, or overrides with another value.
    func overrides(since past: EffectiveConfiguration) -> [Override] {
        var overrides: [Override] = []
        func check<Value>(_ name: String, _ path: KeyPath<EffectiveConfiguration, EffectiveSetting<Value>>) {
            let now = self[keyPath: path]
            let before = past[keyPath: path]
            guard now.origin == .server, now != before else { return }
            overrides.append(Override(name: name, value: "\(now.value)", past: "\(before.value)"))
        }
        check("searchEnabled", \.searchEnabled)
        check("voiceRecordingEnabled", \.voiceRecordingEnabled)
        check("scrollToLatest", \.scrollToLatest)
        check("linkPreviewEnabled", \.linkPreviewEnabled)
        check("showAttachButton", \.showAttachButton)
        check("surveyCompletionDelay", \.surveyCompletionDelay)
        check("historyLoadingCount", \.historyLoadingCount)
        check("keepSocketActive", \.keepSocketActive)
        check("keepSocketActiveDuringOperatorSession", \.keepSocketActiveDuringOperatorSession)
        check("typingInterval", \.typingInterval)
        check("pingInterval", \.pingInterval)
        check("pingRetries", \.pingRetries)
        check("retryInterval", \.retryInterval)
        check("retryMultiplier", \.retryMultiplier)
        check("messageRetryCount", \.messageRetryCount)
        check("clientInfoInterval", \.clientInfoInterval)
        check("clientNotificationDisplayType", \.clientNotificationDisplayType)
        check("pingActionEnabled", \.pingActionEnabled)
        check("registerAtFirstStart", \.registerAtFirstStart)
        return overrides
    }
}
