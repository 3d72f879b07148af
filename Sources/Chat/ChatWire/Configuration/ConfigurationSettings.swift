/// The `settings` of the configuration answer: parameters for the communication with the server. Numbers are not
/// validated here; their users clamp them.
package struct CommunicationSettings: Hashable, Sendable, OptionalFields {
    package var typingMessagesIntervalSeconds: Int64?
    package var pingEnabled: Bool?
    package var pingIntervalMillis: Int64?
    package var pingRetries: Int64?
    package var messageRetryCount: Int64?
    package var retryIntervalMillis: Int64?
    package var retryMultiplier: Int64?
    package var registerAtFirstStart: Bool?
    package var sendClientInfoAfterMillis: Int64?
    package var clientNotificationDisplayType: String?
    package var extra: JSONObject = [:]

    package init(
        typingMessagesIntervalSeconds: Int64? = nil, pingEnabled: Bool? = nil, pingIntervalMillis: Int64? = nil,
        pingRetries: Int64? = nil, messageRetryCount: Int64? = nil, retryIntervalMillis: Int64? = nil,
        retryMultiplier: Int64? = nil, registerAtFirstStart: Bool? = nil, sendClientInfoAfterMillis: Int64? = nil,
        clientNotificationDisplayType: String? = nil, extra: JSONObject = [:]
    ) {
        self.typingMessagesIntervalSeconds = typingMessagesIntervalSeconds
        self.pingEnabled = pingEnabled
        self.pingIntervalMillis = pingIntervalMillis
        self.pingRetries = pingRetries
        self.messageRetryCount = messageRetryCount
        self.retryIntervalMillis = retryIntervalMillis
        self.retryMultiplier = retryMultiplier
        self.registerAtFirstStart = registerAtFirstStart
        self.sendClientInfoAfterMillis = sendClientInfoAfterMillis
        self.clientNotificationDisplayType = clientNotificationDisplayType
        self.extra = extra
    }

    init() {}

    mutating func visit(_ fields: inout some FieldVisitor) {
        fields.integer("typingMessagesIntervalSeconds", &typingMessagesIntervalSeconds)
        fields.bool("pingEnabled", &pingEnabled)
        fields.integer("pingIntervalMillis", &pingIntervalMillis)
        fields.integer("pingRetries", &pingRetries)
        fields.integer("messageRetryCount", &messageRetryCount)
        fields.integer("retryIntervalMillis", &retryIntervalMillis)
        fields.integer("retryMultiplier", &retryMultiplier)
        fields.bool("registerAtFirstStart", &registerAtFirstStart)
        fields.integer("sendClientInfoAfterMillis", &sendClientInfoAfterMillis)
        fields.string("clientNotificationDisplayType", &clientNotificationDisplayType)
    }
}

/// The `channelConfig` of the configuration answer: the values that the server overrides. The local value applies where
/// a value is absent.
package struct ChannelOverrides: Hashable, Sendable, OptionalFields {
    package var searchEnabled: Bool?
    package var voiceRecordingEnabled: Bool?
    package var scrollToLatest: Bool?
    package var linkPreviewEnabled: Bool?
    package var showAttachButton: Bool?
    /// The delay in milliseconds.
    package var surveyCompletionDelay: Int64?
    package var historyLoadingCount: Int64?
    package var keepSocketActive: Bool?
    package var keepSocketActiveDuringOperatorSession: Bool?
    package var extra: JSONObject = [:]

    package init(
        searchEnabled: Bool? = nil, voiceRecordingEnabled: Bool? = nil, scrollToLatest: Bool? = nil,
        linkPreviewEnabled: Bool? = nil, showAttachButton: Bool? = nil, surveyCompletionDelay: Int64? = nil,
        historyLoadingCount: Int64? = nil, keepSocketActive: Bool? = nil,
        keepSocketActiveDuringOperatorSession: Bool? = nil
    ) {
        self.searchEnabled = searchEnabled
        self.voiceRecordingEnabled = voiceRecordingEnabled
        self.scrollToLatest = scrollToLatest
        self.linkPreviewEnabled = linkPreviewEnabled
        self.showAttachButton = showAttachButton
        self.surveyCompletionDelay = surveyCompletionDelay
        self.historyLoadingCount = historyLoadingCount
        self.keepSocketActive = keepSocketActive
        self.keepSocketActiveDuringOperatorSession = keepSocketActiveDuringOperatorSession
    }

    init() {}

    mutating func visit(_ fields: inout some FieldVisitor) {
        fields.bool("searchEnabled", &searchEnabled)
        fields.bool("voiceRecordingEnabled", &voiceRecordingEnabled)
        fields.bool("scrollToLatest", &scrollToLatest)
        fields.bool("linkPreviewEnabled", &linkPreviewEnabled)
        fields.bool("showAttachButton", &showAttachButton)
        fields.integer("surveyCompletionDelay", &surveyCompletionDelay)
        fields.integer("historyLoadingCount", &historyLoadingCount)
        fields.bool("keepSocketActive", &keepSocketActive)
        fields.bool("keepSocketActiveDuringOperatorSession", &keepSocketActiveDuringOperatorSession)
    }
}

/// The server's limits for files.
package struct AttachmentSettings: Hashable, Sendable, OptionalFields {
    /// The largest file size in units of 1024 × 1024 bytes.
    package var maxSize: Int64?
    package var fileExtensions: [String] = []
    package var extra: JSONObject = [:]

    package init(maxSize: Int64? = nil, fileExtensions: [String] = []) {
        self.maxSize = maxSize
        self.fileExtensions = fileExtensions
    }

    init() {}

    mutating func visit(_ fields: inout some FieldVisitor) {
        fields.integer("maxSize", &maxSize)
        fields.strings("fileExtensions", &fileExtensions)
    }
}
