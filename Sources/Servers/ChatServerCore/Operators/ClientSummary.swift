import ChatWire

/// A client as an operator sees him.
package struct ClientSummary: Hashable, Sendable {
    package var record: ClientRecord
    /// Sockets with a complete handshake.
    package var sockets: Int
    /// The devices' addresses, oldest first.
    package var devices: Int
    /// What the client is typing.
    package var draft: String?
    /// Messages in the history.
    package var messages: Int
    /// Of the operators' messages, those that the client has not read.
    package var unread: Int
    /// Of the client's messages, those that no operator has read.
    package var unanswered: Int
    /// Milliseconds since 1970.
    package var lastDate: Int64?
}
