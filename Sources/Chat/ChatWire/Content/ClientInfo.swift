/// The fields of CLIENT_INFO: who the client says he is.
package struct ClientInfo: Hashable, Sendable {
    package var name: String?
    /// The host application's own data, a flat text map in the order in which it is written.
    package var data: JSONObject?
    package var locale: String?
    /// The socket was opened only to get a device address, nobody looks at a chat yet.
    package var preRegister: Bool?

    package init(
        name: String? = nil, data: JSONObject? = nil, locale: String? = nil, preRegister: Bool? = nil
    ) {
        self.name = name
        self.data = data
        self.locale = locale
        self.preRegister = preRegister
    }
}
