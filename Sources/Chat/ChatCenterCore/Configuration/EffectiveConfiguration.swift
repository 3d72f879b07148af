import ChatWire

/// Every value in force, with its origin: the server's where it sent one and may, else the host application's.
public struct EffectiveConfiguration: Hashable, Sendable {
    /// The history can be searched.
    public internal(set) var searchEnabled: EffectiveSetting<Bool>
    /// Voice messages can be recorded and sent.
    public internal(set) var voiceRecordingEnabled: EffectiveSetting<Bool>
    /// The screen goes to new messages, and to the newest one when it comes back.
    public internal(set) var scrollToLatest: EffectiveSetting<Bool>
    /// Links are shown with a preview.
    public internal(set) var linkPreviewEnabled: EffectiveSetting<Bool>
    /// The screen has a button for files.
    public internal(set) var showAttachButton: EffectiveSetting<Bool>
    /// Milliseconds, 0 to 600,000.
    public internal(set) var surveyCompletionDelay: EffectiveSetting<Int>
    /// 1 to 200.
    public internal(set) var historyLoadingCount: EffectiveSetting<Int>
    /// An open socket stays open when the screen is left.
    public internal(set) var keepSocketActive: EffectiveSetting<Bool>
    /// An open socket stays open until the operator has ended the dialog.
    public internal(set) var keepSocketActiveDuringOperatorSession: EffectiveSetting<Bool>
    /// Milliseconds between two drafts that are sent while the user types, 1,000 to 60,000.
    public internal(set) var typingInterval: EffectiveSetting<Int>
    /// Milliseconds of silence after which the socket is probed, 5,000 to 300,000. A probe has 5 s to be answered, so
    /// that with the default of 15,000 an idle link is found dead after 20 s.
    public internal(set) var pingInterval: EffectiveSetting<Int>
    /// How many probes in a row may stay unanswered, 1 to 5.
    public internal(set) var pingRetries: EffectiveSetting<Int>
    /// Milliseconds that the wait before a second try is drawn from, 250 to 10,000: to connect, or to upload a file.
    public internal(set) var retryInterval: EffectiveSetting<Int>
    /// What the span of that wait is multiplied by after each failure, 1 to 10. For connections never less than 2.
    public internal(set) var retryMultiplier: EffectiveSetting<Int>
    /// How often a message is handed to a socket again after it was lost, and an upload tried again, by itself: 0 to 100.
    public internal(set) var messageRetryCount: EffectiveSetting<Int>
    /// Milliseconds before information about the client that has not changed is sent again on the same socket, 0 to
    /// 600,000.
    public internal(set) var clientInfoInterval: EffectiveSetting<Int>
    /// The server's word for which notifications the client gets. Kept, and handed on as it stands: no page says what
    /// the words mean.
    public internal(set) var clientNotificationDisplayType: EffectiveSetting<String>
    /// The server wants a `ping` action beside the WebSocket ping.
    public internal(set) var pingActionEnabled: EffectiveSetting<Bool>
    /// A device without an address gets one right after `authorize`.
    public internal(set) var registerAtFirstStart: EffectiveSetting<Bool>

    // What no server decides.

    /// The user may write.
    public internal(set) var userInputEnabled: EffectiveSetting<Bool>
    /// Seconds between two questions for the unread count, 0 to 86,400; 0 asks never.
    public internal(set) var unreadMessageCountDelay: EffectiveSetting<Int>
    /// Milliseconds that each step of the handshake may take, 100 to 86,400,000.
    public internal(set) var connectionTimeout: EffectiveSetting<Int>
    /// Milliseconds, 100 to 86,400,000; see ``SendTimeoutMode``.
    public internal(set) var sendTimeout: EffectiveSetting<Int>

    /// A value that was out of range, for the log.
    struct Clamped: Hashable, Sendable {
        var name: String
        var received: Int64
        var used: Int
    }

    /// Works out the values in force.
    ///
    /// - Parameters:
    ///   - here: The host application's settings; a value that differs from the documented default is its own.
    ///   - remote: The server's answer, without what cannot be used. Its `settings` count always, its `channelConfig`
    ///     unless `shouldUseRemoteConfig` is off.
    ///   - clamped: Gets an entry for each number that was out of range.
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
