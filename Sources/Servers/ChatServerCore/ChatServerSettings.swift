package import ChatWire

/// The settings of a chat server.
package struct ChatServerSettings: Hashable, Sendable {
    /// The answer to the configuration call.
    package var configuration: ConfigurationAnswer
    /// The bot, if there is one.
    package var bot: BotSettings?
    /// The accepted tokens.
    package var access: AccessRule
    package var limits: ServerLimits
    /// The names of the identities that the driver can present.
    package var identities: [String]

    package init(
        configuration: ConfigurationAnswer = .development, bot: BotSettings? = BotSettings(),
        access: AccessRule = .anyone, limits: ServerLimits = ServerLimits(),
        identities: [String] = []
    ) {
        self.configuration = configuration
        self.bot = bot
        self.access = access
        self.limits = limits
        self.identities = identities
    }
}

extension ConfigurationAnswer {
    /// A complete configuration: always open, with every feature enabled that needs no other service.
    package static let development = ConfigurationAnswer(
        settings: CommunicationSettings(
            typingMessagesIntervalSeconds: 3, pingEnabled: true, pingIntervalMillis: 10_000, pingRetries: 3,
            messageRetryCount: 3, retryIntervalMillis: 500, retryMultiplier: 1, registerAtFirstStart: false,
            sendClientInfoAfterMillis: 5_000, clientNotificationDisplayType: "ALL"),
        channelConfig: ChannelOverrides(
            searchEnabled: true, voiceRecordingEnabled: false, scrollToLatest: true, linkPreviewEnabled: false,
            showAttachButton: true, surveyCompletionDelay: 0, historyLoadingCount: 30, keepSocketActive: false,
            keepSocketActiveDuringOperatorSession: false),
        schedule: Schedule(
            id: 1, active: true, sendDuringInactive: true, isVisibleOutOfHours: true,
            notification: "Nobody is here at the moment.",
            intervals: (1...7).map { Schedule.Interval(id: $0, weekDay: $0, startTime: 0, endTime: 86_399) }),
        attachmentSettings: AttachmentSettings(
            maxSize: 10, fileExtensions: ["jpeg", "jpg", "png", "gif", "pdf", "txt", "ogg", "bin"]))
}

/// Which access tokens the server accepts.
package enum AccessRule: Hashable, Sendable {
    /// Any token, or none.
    case anyone
    /// Only the valid tokens. The expired ones are recognized as formerly valid.
    case tokens(valid: [String], expired: [String] = [])

    /// Returns why a token is refused; `nil` if it is accepted.
    func refusal(of token: String?) -> ErrorAnswer? {
        guard case .tokens(let valid, let expired) = self else { return nil }
        guard let token else { return .tokenInvalid }
        if valid.contains(token) { return nil }
        return expired.contains(token) ? .tokenExpired : .tokenInvalid
    }
}
