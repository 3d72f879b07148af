package import ChatWire

/// A message as the server stores it.
package struct ServerMessage: Hashable, Sendable {
    /// The position among all messages of all clients.
    package var sequence: Int64
    package var clientID: String
    /// The id that the server assigned.
    package var messageID: String
    /// The id that the author assigned.
    package var uuid: String
    package var isFromClient: Bool
    /// Milliseconds since 1970; greater than that of the client's previous message.
    package var sentAt: Int64
    /// The delivery status on the other side.
    package var status: MessageStatus
    /// Whether the message is part of the conversation. Survey answers, for example, are stored only to recognize
    /// repetitions.
    package var isInHistory: Bool
    package var content: Content
    /// Whether the message was changed while no socket of the client was connected.
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

    /// The approximate size in memory in bytes: the content as JSON, plus overhead.
    var size: Int { content.json.text.utf8.count + 512 }

    /// Whether the message counts as unread until the client confirms it. Deleted messages do not.
    package var isUnread: Bool {
        !isFromClient && isInHistory && content.body == .message && content.modified != .deleted && status < .read
    }

    /// The reply to the sender, also for a repetition.
    var receipt: SendReceipt { SendReceipt(messageID: messageID, sentAt: sentAt, status: .sent) }

    /// The content for history and search.
    var historyContent: Content {
        var content = content
        content.uuid = uuid
        content.messageID = messageID
        content.receivedDate = sentAt
        content.read = status == .read
        return content
    }

    /// Returns the message for a push.
    func delivered(as kind: DeliveredMessage.Kind = .normal) -> DeliveredMessage {
        var content = content
        content.uuid = uuid
        content.receivedDate = sentAt
        return DeliveredMessage(
            messageID: messageID, sentAt: sentAt, notification: isFromClient ? nil : content.text, content: content,
            kind: kind)
    }
}
