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
}
