package import ChatWire

/// Who is authorised.
package struct UserIdentity: Hashable, Sendable {
    package var clientID: String
    package var name: String?
    /// A flat text map.
    package var data: JSONObject?
    /// Made by the host application's server, passed on unchanged.
    package var signature: String?
    /// The client id is already encrypted.
    package var isEncrypted: Bool
    /// The language that the host application chose for him; `nil` for the device's.
    package var locale: String?

    package init(
        clientID: String, name: String? = nil, data: JSONObject? = nil, signature: String? = nil,
        isEncrypted: Bool = false, locale: String? = nil
    ) {
        self.clientID = clientID
        self.name = name
        self.data = data
        self.signature = signature
        self.isEncrypted = isEncrypted
        self.locale = locale
    }
}
