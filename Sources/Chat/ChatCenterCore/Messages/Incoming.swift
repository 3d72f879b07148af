import ChatWire

/// A received content, with the information about its delivery.
struct Incoming: Hashable, Sendable {
    /// The source of a content.
    enum Source: Hashable, Sendable {
        /// The content was received on the socket.
        case live
        /// The content is from the history after the cursor, or from the newest page if there is no cursor.
        case gap(isFirst: Bool)
        /// The content is from the history before the oldest message in memory.
        case older
    }

    var content: Content
    var serverID: String?
    /// The time in milliseconds since 1970, on the server's clock.
    var time: Int64?
    /// Whether this is an own message from another device.
    var isMirror = false

    /// Creates an item from an element of `getMessages`.
    init(_ message: DeliveredMessage, createdAt: Int64?) {
        content = message.content
        serverID = message.messageID ?? message.content.messageID
        time = message.content.receivedDate ?? message.sentAt ?? createdAt
        isMirror = message.kind == .mirror
    }

    /// Creates an item from a content of the history.
    init(_ content: Content) {
        self.content = content
        serverID = content.messageID
        time = content.receivedDate
    }

    /// The approximate size limit of a stored item, in bytes. Ordinary messages are far smaller. A larger item keeps
    /// only its author, its time and the beginning of its text, and an error is logged.
    static let longest = 256 * 1024

    /// The item in the form in which it is stored, and whether parts were removed. An item that is too large keeps
    /// only its author, its time and the beginning of its text.
    var bounded: (Incoming, isCut: Bool) {
        guard content.weight > Self.longest else { return (self, false) }
        var item = self
        func short(_ text: String?) -> String? { text.flatMap { $0.utf8.count <= 1024 ? $0 : nil } }
        item.content = Content(
            .message, threadID: content.threadID, uuid: short(content.uuid), messageID: short(content.messageID),
            operator: content.operator.map { Operator(id: short($0.id), name: short($0.name)) },
            text: content.text.map { $0.utf8.count > 4000 ? $0.prefix(1000) + " …" : $0 },
            receivedDate: content.receivedDate,
            read: content.read)
        item.serverID = short(serverID)
        return (item, true)
    }

    /// The id under which the item is stored: the author's UUID, else the server's id, else a digest of the content.
    /// The same item therefore has the same id, whatever its source.
    var id: MessageID {
        if let uuid = content.uuid, !uuid.isEmpty { return MessageID(uuid) }
        if let serverID { return MessageID("server:" + serverID) }
        // FNV-1a: sufficient for an id, but not cryptographically secure.
        var digest: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in content.json.bytes { digest = (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return MessageID("content:" + String(digest, radix: 16))
    }

    /// Whether the client wrote the message, on this or another device.
    var isOwn: Bool {
        switch content.body {
        case .message, .surveyQuestionAnswer, .surveyQualityFormAnswer, .closeThread, .reopenThread:
            isMirror || content.operator == nil
        default: false
        }
    }
}
