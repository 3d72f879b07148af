/// The answer to the configuration call. Each part can be missing. Without `settings` or `attachmentSettings`, the chat
/// shows its error screen. Without `schedule`, it works and sending is allowed.
package struct ConfigurationAnswer: Hashable, Sendable {
    package var settings: CommunicationSettings?
    package var channelConfig: ChannelOverrides?
    package var schedule: Schedule?
    package var attachmentSettings: AttachmentSettings?
    package var extra: JSONObject = [:]
    /// Parts that could not be read and are kept in `extra`.
    package private(set) var problems: [WireProblem] = []

    package init(
        settings: CommunicationSettings? = nil, channelConfig: ChannelOverrides? = nil, schedule: Schedule? = nil,
        attachmentSettings: AttachmentSettings? = nil
    ) {
        self.settings = settings
        self.channelConfig = channelConfig
        self.schedule = schedule
        self.attachmentSettings = attachmentSettings
    }

    package init(
        parsing bytes: [UInt8], limits: JSONLimits = .answer, dialect: ChatDialect = .documented
    ) throws(WireError) {
        self.init(try JSONValue.object(parsing: bytes, limits: limits, in: "configuration", dialect))
    }

    package init(_ object: JSONObject) {
        var fields = FieldReader(object)
        settings = fields.nested("settings", CommunicationSettings.init)
        channelConfig = fields.nested("channelConfig", ChannelOverrides.init)
        schedule = Self.wrapped("schedule", "SCHEDULE", &fields, Schedule.init)
        attachmentSettings = Self.wrapped(
            "attachmentSettings", "ATTACHMENT_SETTINGS", &fields, AttachmentSettings.init)
        extra = fields.rest
        problems = fields.problems
    }

    /// Reads `schedule` or `attachmentSettings`, whose content is wrapped twice: `{content: {type, content: {…}}}`.
    /// Other members of the two wrappers remain.
    private static func wrapped<T>(
        _ key: String, _ type: String, _ fields: inout FieldReader, _ read: (inout FieldReader) -> T?
    ) -> T? {
        var around = JSONObject()
        let value = fields.nested(key) { outer -> T? in
            let value = outer.nested("content") { inner -> T? in
                guard let value = inner.nested("content", read) else { return nil }
                var rest = inner.rest
                if rest["type"] == .string(type) { rest["type"] = nil }
                if !rest.isEmpty { around["content"] = .object(rest) }
                return value
            }
            around.append(missingFrom: value == nil ? [:] : outer.rest)
            return value
        }
        if value != nil, !around.isEmpty { fields.leave(.object(around), of: key) }
        return value
    }

    package var json: JSONObject {
        var object = JSONObject()
        object.set("settings", settings?.json)
        object.set("channelConfig", channelConfig?.json)
        wrap(schedule.map { .schedule($0) }, "schedule", &object)
        wrap(attachmentSettings.map { .attachmentSettings($0) }, "attachmentSettings", &object)
        object.append(missingFrom: extra)
        return object
    }

    private func wrap(_ body: ContentBody?, _ key: String, _ object: inout JSONObject) {
        guard let body, var inner = Content(body).json.objectValue else { return }
        // The received wrapper has a type other than the documented one.
        if extra[key]?.objectValue?["content"]?.objectValue?["type"] != nil { inner["type"] = nil }
        object[key] = .object(["content": .object(inner)])
    }

    package var bytes: [UInt8] { bytes(in: .documented) }

    /// Returns the answer as JSON with the names of `dialect`.
    package func bytes(in dialect: ChatDialect) -> [UInt8] { dialect.written(json) }
}

/// The content of SETTINGS_UPDATED: the parts of the configuration that changed.
package struct ConfigurationUpdate: Hashable, Sendable, OptionalFields {
    package var settings: CommunicationSettings?
    package var channelConfig: ChannelOverrides?
    package var extra: JSONObject = [:]

    package init(settings: CommunicationSettings? = nil, channelConfig: ChannelOverrides? = nil) {
        self.settings = settings
        self.channelConfig = channelConfig
    }

    init() {}

    mutating func visit(_ fields: inout some FieldVisitor) {
        fields.nested("settings", &settings)
        fields.nested("channelConfig", &channelConfig)
    }
}

extension ConfigurationAnswer {
    /// Returns the answer with the values of `update`. Keys that the update does not contain keep their values.
    package func merging(_ update: ConfigurationUpdate) -> ConfigurationAnswer {
        func merged<Part: OptionalFields>(_ part: Part?, over past: Part?) -> Part? {
            guard var object = part?.json else { return past }
            object.append(missingFrom: past?.json ?? [:])
            return Part(object)
        }
        var answer = self
        answer.settings = merged(update.settings, over: settings)
        answer.channelConfig = merged(update.channelConfig, over: channelConfig)
        return answer
    }
}
