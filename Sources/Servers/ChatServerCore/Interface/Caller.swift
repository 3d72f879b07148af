/// The caller of a REST call, as identified by its header fields.
package struct Caller: Hashable, Sendable {
    /// The access token, from the header or the cookie.
    package var token: String?
    package var clientID: String?
    package var deviceAddress: String?

    package init(token: String? = nil, clientID: String? = nil, deviceAddress: String? = nil) {
        self.token = token
        self.clientID = clientID
        self.deviceAddress = deviceAddress
    }
}
