/// `settings` of the configuration answer: how the server wants to be talked to. Numbers are as the server sent them;
/// whoever uses one clamps it.
package struct ServerSettings: Hashable, Sendable {
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
    package var extra: JSONObject

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

    init(_ object: JSONObject) {
        var fields = FieldReader(object)
        self.init(&fields)
    }

    init(_ fields: inout FieldReader) {
        typingMessagesIntervalSeconds = fields.integer("typingMessagesIntervalSeconds")
        pingEnabled = fields.bool("pingEnabled")
        pingIntervalMillis = fields.integer("pingIntervalMillis")
        pingRetries = fields.integer("pingRetries")
        messageRetryCount = fields.integer("messageRetryCount")
        retryIntervalMillis = fields.integer("retryIntervalMillis")
        retryMultiplier = fields.integer("retryMultiplier")
        registerAtFirstStart = fields.bool("registerAtFirstStart")
        sendClientInfoAfterMillis = fields.integer("sendClientInfoAfterMillis")
        clientNotificationDisplayType = fields.string("clientNotificationDisplayType")
        extra = fields.rest
    }

    var json: JSONObject {
        var object = JSONObject()
        object.set("typingMessagesIntervalSeconds", typingMessagesIntervalSeconds)
        object.set("pingEnabled", pingEnabled)
        object.set("pingIntervalMillis", pingIntervalMillis)
        object.set("pingRetries", pingRetries)
        object.set("messageRetryCount", messageRetryCount)
        object.set("retryIntervalMillis", retryIntervalMillis)
        object.set("retryMultiplier", retryMultiplier)
        object.set("registerAtFirstStart", registerAtFirstStart)
        object.set("sendClientInfoAfterMillis", sendClientInfoAfterMillis)
        object.set("clientNotificationDisplayType", clientNotificationDisplayType)
        object.append(missingFrom: extra)
        return object
    }
}
