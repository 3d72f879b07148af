/// The stored state of the server, as restored after a restart.
package struct ServerSnapshot: Hashable, Sendable {
    /// The clients, in the order of their first appearance.
    package var clients: [ClientRecord]
    /// The devices, oldest first.
    package var devices: [DeviceRecord]
    /// The messages of all clients by ascending sequence number.
    package var messages: [ServerMessage]
    /// The stored state of the operator desk.
    package var desk: DeskSnapshot

    package init(
        clients: [ClientRecord] = [], devices: [DeviceRecord] = [], messages: [ServerMessage] = [],
        desk: DeskSnapshot = DeskSnapshot()
    ) {
        self.clients = clients
        self.devices = devices
        self.messages = messages
        self.desk = desk
    }
}

/// A change of the stored state.
package enum ServerWrite: Hashable, Sendable {
    /// Inserts or replaces a client.
    case client(ClientRecord)
    /// Inserts or replaces a device.
    case device(DeviceRecord)
    /// Removes a device.
    case deviceRemoved(address: String)
    /// Inserts a message.
    case message(ServerMessage)
    /// Updates a message's status and content.
    case messageChanged(ServerMessage)
    /// Removes a client's messages up to and including this one.
    case messagesRemoved(clientID: String, through: Int64)
    /// Changes the operator desk.
    case desk(DeskWrite)
}
