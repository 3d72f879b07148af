/// The `data` of `registerDevice`: the client and the device that the socket belongs to.
package struct DeviceRegistration: Hashable, Sendable, WireFields {
    package var clientID: String
    /// The address from an earlier registration; absent in the first one.
    package var deviceAddress: String?
    package var providerUID: String?
    package var appMarker: String?
    package var deviceUID: String?
    /// The IANA name of the time zone.
    package var timeZone: String?
    package var osName: String?
    package var osVersion: String?
    package var locale: String?
    package var deviceModel: String?
    package var apiVersion: Int64?
    package var pushToken: String?
    /// The signature that the host application's server created; passed on unchanged. This key is Holdfast's own.
    package var signature: String?
    /// Whether the host application's server encrypted the client id. This key is Holdfast's own.
    package var isEncrypted: Bool?
    package var extra: JSONObject = [:]

    package init(
        clientID: String, deviceAddress: String? = nil, providerUID: String? = nil, appMarker: String? = nil,
        deviceUID: String? = nil, timeZone: String? = nil, osName: String? = nil, osVersion: String? = nil,
        locale: String? = nil, deviceModel: String? = nil, apiVersion: Int64? = nil, pushToken: String? = nil,
        signature: String? = nil, isEncrypted: Bool? = nil
    ) {
        self.clientID = clientID
        self.deviceAddress = deviceAddress
        self.providerUID = providerUID
        self.appMarker = appMarker
        self.deviceUID = deviceUID
        self.timeZone = timeZone
        self.osName = osName
        self.osVersion = osVersion
        self.locale = locale
        self.deviceModel = deviceModel
        self.apiVersion = apiVersion
        self.pushToken = pushToken
        self.signature = signature
        self.isEncrypted = isEncrypted
    }

    init(_ fields: inout FieldReader) throws(WireError) {
        self.init(clientID: try fields.identifier("clientId").required("clientId", in: "registerDevice"))
        read(&fields)
    }

    mutating func visit(_ fields: inout some FieldVisitor) {
        fields.string("deviceAddress", &deviceAddress)
        fields.string("providerUid", &providerUID)
        fields.string("appMarker", &appMarker)
        fields.string("deviceUid", &deviceUID)
        fields.string("timeZone", &timeZone)
        fields.string("osName", &osName)
        fields.string("osVersion", &osVersion)
        fields.string("locale", &locale)
        fields.string("deviceModel", &deviceModel)
        fields.integer("chatApiVersion", &apiVersion)
        fields.string("pushToken", &pushToken)
        fields.string("clientIdSignature", &signature)
        fields.bool("clientIdEncrypted", &isEncrypted)
    }

    var json: JSONObject { written(after: ["clientId": .string(clientID)]) }
}
