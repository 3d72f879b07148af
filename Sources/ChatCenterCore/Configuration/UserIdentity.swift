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

    package init(
        clientID: String, name: String? = nil, data: JSONObject? = nil, signature: String? = nil,
        isEncrypted: Bool = false
    ) {
        self.clientID = clientID
        self.name = name
        self.data = data
        self.signature = signature
        self.isEncrypted = isEncrypted
    }
}
