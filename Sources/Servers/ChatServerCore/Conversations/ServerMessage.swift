package import ChatWire

/// One message as the server keeps it.
package struct ServerMessage: Hashable, Sendable {
    /// The order of all messages of all clients.
    package var sequence: Int64
    package var clientID: String
    /// The server's name for it.
    package var messageID: String
    /// The author's name for it.
    package var uuid: String
    package var isFromClient: Bool
    /// Milliseconds since 1970; later than that of the client's message before.
    package var sentAt: Int64
    /// How far it came on the other side.
    package var status: MessageStatus
    /// Survey answers and the like are kept so that a repeated one is recognised, but are no part of the conversation.
    package var isInHistory: Bool
    package var content: Content
    /// Whether it was changed when none of the client's sockets was there to be told.
    package var hasUntoldChange: Bool

    package init(
        sequence: Int64, clientID: String, messageID: String, uuid: String, isFromClient: Bool, sentAt: Int64,
        status: MessageStatus = .sent, isInHistory: Bool = true, content: Content, hasUntoldChange: Bool = false
    ) {
        self.sequence = sequence
        self.clientID = clientID
        self.messageID = messageID
        self.uuid = uuid
        self.isFromClient = isFromClient
        self.sentAt = sentAt
        self.status = status
        self.isInHistory = isInHistory
        self.content = content
        self.hasUntoldChange = hasUntoldChange
    }

    /// What it costs in memory, about: its content as JSON, and what is around that.
    var size: Int { content.json.text.utf8.count + 512 }

    /// Whether it counts as unread until the client says otherwise. What was taken back is nothing to read.
    package var isUnread: Bool {
        !isFromClient && isInHistory && content.body == .message && content.modified != .deleted && status < .read
    }

    /// The reply to whoever sent it, now or again.
    var receipt: SendReceipt { SendReceipt(messageID: messageID, sentAt: sentAt, status: .sent) }

    /// The bare content that history and search give.
    var historyContent: Content {
        var content = content
        content.uuid = uuid
        content.messageID = messageID
        content.receivedDate = sentAt
        content.read = status == .read
        return content
    }

    /// The message as it is pushed.
    func delivered(as kind: DeliveredMessage.Kind = .normal) -> DeliveredMessage {
        var content = content
        content.uuid = uuid
        content.receivedDate = sentAt
        return DeliveredMessage(
            messageID: messageID, sentAt: sentAt, notification: isFromClient ? nil : content.text, content: content,
            kind: kind)
    }
}
