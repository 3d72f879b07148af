/// A logout that the server has not confirmed. It tells the server to detach the device from the user. It contains no
/// token.
package struct Farewell: Hashable, Sendable {
    package var clientID: String
    package var deviceAddress: String

    package init(clientID: String, deviceAddress: String) {
        self.clientID = clientID
        self.deviceAddress = deviceAddress
    }
}
