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
    /// Milliseconds of silence after which the socket is probed, 5,000 to 300,000.
    public internal(set) var pingInterval: EffectiveSetting<Int>
    /// How many probes in a row may stay unanswered, 1 to 5.
    public internal(set) var pingRetries: EffectiveSetting<Int>
    /// Milliseconds that the wait before a second try to connect is drawn from, 250 to 10,000.
    public internal(set) var retryInterval: EffectiveSetting<Int>
    /// The server wants a `ping` action beside the WebSocket ping.
    public internal(set) var pingActionEnabled: EffectiveSetting<Bool>
    /// A device without an address gets one right after `authorize`.
    public internal(set) var registerAtFirstStart: EffectiveSetting<Bool>

    /// A value of the server that was out of range, for the log.
    struct Clamped: Hashable, Sendable {
        var name: String
        var received: Int64
        var used: Int
    }

    /// Works out the values in force.
    ///
    /// - Parameters:
    ///   - local: the host application's values; one that differs from the documented default is its own.
    ///   - settings: the server's `settings`, which no switch turns off.
    ///   - channel: the server's `channelConfig`, `nil` when it may not override anything.
    ///   - clamped: gets an entry for each number that was out of range.
    init(
        local: LocalConfiguration, settings: ServerSettings?, channel: ChannelConfig?, clamped: inout [Clamped]
    ) {
        func flag(_ server: Bool?, _ local: Bool, _ standard: Bool) -> EffectiveSetting<Bool> {
            if let server { return EffectiveSetting(server, .server) }
            return EffectiveSetting(local, local == standard ? .standard : .local)
        }
        func number(
            _ name: String, _ server: Int64?, _ local: Int, _ standard: Int, _ range: ClosedRange<Int>
        ) -> EffectiveSetting<Int> {
            let received = server ?? Int64(local)
            let used = Int(min(max(received, Int64(range.lowerBound)), Int64(range.upperBound)))
            if Int64(used) != received { clamped.append(Clamped(name: name, received: received, used: used)) }
            let origin: SettingOrigin = server != nil ? .server : local == standard ? .standard : .local
            return EffectiveSetting(used, origin)
        }
        let standard = LocalConfiguration.standard
        searchEnabled = flag(channel?.searchEnabled, local.searchEnabled, standard.searchEnabled)
        voiceRecordingEnabled = flag(
            channel?.voiceRecordingEnabled, local.voiceRecordingEnabled, standard.voiceRecordingEnabled)
        scrollToLatest = flag(channel?.scrollToLatest, local.scrollToLatest, standard.scrollToLatest)
        linkPreviewEnabled = flag(channel?.linkPreviewEnabled, local.linkPreviewEnabled, standard.linkPreviewEnabled)
        showAttachButton = flag(channel?.showAttachButton, local.showAttachButton, standard.showAttachButton)
        surveyCompletionDelay = number(
            "surveyCompletionDelay", channel?.surveyCompletionDelay, local.surveyCompletionDelay,
            standard.surveyCompletionDelay, 0...600_000)
        historyLoadingCount = number(
            "historyLoadingCount", channel?.historyLoadingCount, local.historyLoadingCount,
            standard.historyLoadingCount, 1...200)
        keepSocketActive = flag(channel?.keepSocketActive, local.keepSocketActive, standard.keepSocketActive)
        keepSocketActiveDuringOperatorSession = flag(
            channel?.keepSocketActiveDuringOperatorSession, local.keepSocketActiveDuringOperatorSession,
            standard.keepSocketActiveDuringOperatorSession)
        typingInterval = number(
            "typingMessagesIntervalSeconds", settings?.typingMessagesIntervalSeconds?.saturatingMultiply(1000), 3000,
            3000, 1000...60_000)
        pingInterval = number("pingIntervalMillis", settings?.pingIntervalMillis, 20_000, 20_000, 5000...300_000)
        pingRetries = number("pingRetries", settings?.pingRetries, 1, 1, 1...5)
        retryInterval = number("retryIntervalMillis", settings?.retryIntervalMillis, 1000, 1000, 250...10_000)
        pingActionEnabled = flag(settings?.pingEnabled, false, false)
        registerAtFirstStart = flag(settings?.registerAtFirstStart, false, false)
    }
}
