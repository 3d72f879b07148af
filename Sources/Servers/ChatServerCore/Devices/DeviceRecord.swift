/// One installation of a client's app.
package struct DeviceRecord: Hashable, Sendable {
    /// The address that the server assigned. It authenticates the device.
    package var address: String
    package var clientID: String
    package var pushToken: String?

    package init(address: String, clientID: String, pushToken: String? = nil) {
        self.address = address
        self.clientID = clientID
        self.pushToken = pushToken
    }
}
