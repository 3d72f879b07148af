/// What is left to tell the server after a user was logged out: that this device is his no more. Holds no token.
package struct Farewell: Hashable, Sendable {
    package var clientID: String
    package var deviceAddress: String

    package init(clientID: String, deviceAddress: String) {
        self.clientID = clientID
        self.deviceAddress = deviceAddress
    }
}
