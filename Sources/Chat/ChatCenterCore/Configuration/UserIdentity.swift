package import ChatWire

/// The identity of an authorized user.
package struct UserIdentity: Hashable, Sendable {
    package var clientID: String
    package var name: String?
    /// The user's data, as a flat map of text values.
    package var data: JSONObject?
    /// The signature that the host application's server created; passed on unchanged.
    package var signature: String?
    /// Whether the client id is already encrypted.
    package var isEncrypted: Bool
    /// The language that the host application chose for the user; `nil` for the device's language.
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
