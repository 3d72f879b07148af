/// The answer to the configuration call. Each part may be missing: without `settings` or `attachmentSettings` the chat
/// shows its error screen, without `schedule` it works and sending is allowed.
package struct ConfigurationAnswer: Hashable, Sendable {
    package var settings: ServerSettings?
    package var channelConfig: ChannelConfig?
    package var schedule: Schedule?
    package var attachmentSettings: AttachmentSettings?
    package var extra: JSONObject

    package init(
        settings: ServerSettings? = nil, channelConfig: ChannelConfig? = nil, schedule: Schedule? = nil,
        attachmentSettings: AttachmentSettings? = nil, extra: JSONObject = [:]
    ) {
        self.settings = settings
        self.channelConfig = channelConfig
        self.schedule = schedule
        self.attachmentSettings = attachmentSettings
        self.extra = extra
    }

    package init(parsing bytes: [UInt8], limits: JSONLimits = .answer) throws(WireError) {
        self.init(try JSONValue.object(parsing: bytes, limits: limits, in: "configuration"))
    }

    package init(_ object: JSONObject) {
        var fields = FieldReader(object)
        settings = fields.object("settings").map(ServerSettings.init)
        channelConfig = fields.object("channelConfig").map(ChannelConfig.init)
        schedule = Self.content(of: "schedule", &fields).map(Schedule.init)
        attachmentSettings = Self.content(of: "attachmentSettings", &fields).map(AttachmentSettings.init)
        extra = fields.rest
    }

    /// `schedule` and `attachmentSettings` wrap their content twice: `{content: {type, content: {…}}}`.
    private static func content(of key: String, _ fields: inout FieldReader) -> JSONObject? {
        fields.object(key)?["content"]?.objectValue?["content"]?.objectValue
    }

    package var json: JSONObject {
        var object = JSONObject()
        object.set("settings", settings?.json)
        object.set("channelConfig", channelConfig?.json)
        if let schedule { object["schedule"] = .object(["content": Content(.schedule(schedule)).json]) }
        if let attachmentSettings {
            object["attachmentSettings"] = .object(["content": Content(.attachmentSettings(attachmentSettings)).json])
        }
        object.append(missingFrom: extra)
        return object
    }

    package var bytes: [UInt8] { JSONValue.object(json).bytes }
}
