/// One change of what the server keeps.
package enum ServerWrite: Hashable, Sendable {
    /// Insert or replace a client.
    case client(ClientRecord)
    /// Insert or replace a device.
    case device(DeviceRecord)
    /// Forget a device.
    case deviceRemoved(address: String)
    /// Insert a message.
    case message(ServerMessage)
    /// A message's status and content changed.
    case messageChanged(ServerMessage)
    /// Forget a client's messages up to and including this one.
    case messagesRemoved(clientID: String, through: Int64)
}
