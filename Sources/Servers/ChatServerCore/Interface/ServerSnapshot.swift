/// The stored state of the server, as restored after a restart.
package struct ServerSnapshot: Hashable, Sendable {
    /// The clients, in the order of their first appearance.
    package var clients: [ClientRecord]
    /// The devices, oldest first.
    package var devices: [DeviceRecord]
    /// The messages of all clients by ascending sequence number.
    package var messages: [ServerMessage]

    package init(clients: [ClientRecord] = [], devices: [DeviceRecord] = [], messages: [ServerMessage] = []) {
        self.clients = clients
        self.devices = devices
        self.messages = messages
    }
}
