/// The `settings` of the configuration answer: parameters for the communication with the server. Numbers are not
/// validated here; their users clamp them.
package struct ConfigurationSettings: Hashable, Sendable, OptionalFields {
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
