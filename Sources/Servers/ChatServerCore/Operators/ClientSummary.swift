import ChatWire

/// A client's summary for operators.
package struct ClientSummary: Hashable, Sendable {
    package var record: ClientRecord
    /// The number of sockets with a complete handshake.
    package var sockets: Int
    /// The number of devices.
    package var devices: Int
    /// The text that the client is typing.
    package var draft: String?
    /// The number of messages in the history.
    package var messages: Int
    /// The number of operators' messages that the client has not read.
    package var unread: Int
    /// The number of the client's messages that no operator has read.
    package var unanswered: Int
    /// Milliseconds since 1970.
    package var lastDate: Int64?
}
