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

    init(_ object: JSONObject) {
        var fields = FieldReader(object)
        settings = fields.object("settings").map(ServerSettings.init)
        channelConfig = fields.object("channelConfig").map(ChannelConfig.init)
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
