/// The content of SETTINGS_UPDATED: the parts of the configuration that changed.
package struct ConfigurationUpdate: Hashable, Sendable {
    package var settings: ServerSettings?
    package var channelConfig: ChannelConfig?
    package var extra: JSONObject

    package init(settings: ServerSettings? = nil, channelConfig: ChannelConfig? = nil, extra: JSONObject = [:]) {
        self.settings = settings
        self.channelConfig = channelConfig
        self.extra = extra
    }

    init(_ fields: inout FieldReader) {
        settings = fields.nested("settings", ServerSettings.init)
        channelConfig = fields.nested("channelConfig", ChannelConfig.init)
        extra = fields.rest
    }

    var json: JSONObject {
        var object = JSONObject()
        object.set("settings", settings?.json)
        object.set("channelConfig", channelConfig?.json)
        object.append(missingFrom: extra)
        return object
    }
}

extension ConfigurationAnswer {
    /// The answer with the parts of `update` in place of its own; keys that the update does not name stay.
    package func merging(_ update: ConfigurationUpdate) -> ConfigurationAnswer {
        var merged = self
        if let settings = update.settings {
            var object = settings.json
            object.append(missingFrom: self.settings?.json ?? [:])
            merged.settings = ServerSettings(object)
        }
        if let channelConfig = update.channelConfig {
            var object = channelConfig.json
            object.append(missingFrom: self.channelConfig?.json ?? [:])
            merged.channelConfig = ChannelConfig(object)
        }
        return merged
    }
}
