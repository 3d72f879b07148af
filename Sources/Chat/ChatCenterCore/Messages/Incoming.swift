import ChatWire

/// A content on its way into the conversation, with what is known of its delivery.
struct Incoming: Hashable, Sendable {
    /// Where it came from.
    enum Source: Hashable, Sendable {
        /// The socket.
        case live
        /// The history after the cursor, or its newest page when there is no cursor.
        case gap(isFirst: Bool)
        /// The history before the oldest message here.
        case older
    }

    var content: Content
    var serverID: String?
    /// Milliseconds since 1970, by the server's clock.
    var time: Int64?
    /// Own message of another device.
    var isMirror = false

    /// An element of `getMessages`.
    init(_ message: DeliveredMessage, createdAt: Int64?) {
        content = message.content
        serverID = message.messageID ?? message.content.messageID
        time = message.content.receivedDate ?? message.sentAt ?? createdAt
        isMirror = message.kind == .mirror
    }

    /// A bare content of the history.
    init(_ content: Content) {
        self.content = content
        serverID = content.messageID
        time = content.receivedDate
    }

    /// About how many bytes of an item are kept. The texts of the chat are far below.
    static let longest = 256 * 1024

    /// The item as it is kept: of one that is too large, who it is from, when, and the beginning of its text. True beside
    /// it if something was left out.
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

    /// The identity under which it is kept: the author's uuid, else the server's id, else a digest of the content, so
    /// that the same item is the same wherever it comes from.
    var id: MessageID {
        if let uuid = content.uuid, !uuid.isEmpty { return MessageID(uuid) }
        if let serverID { return MessageID("server:" + serverID) }
        // FNV-1a: a name, not a proof.
        var digest: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in content.json.bytes { digest = (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return MessageID("content:" + String(digest, radix: 16))
    }

    /// The client wrote it, here or elsewhere.
    var isOwn: Bool {
        switch content.body {
        case .message, .surveyQuestionAnswer, .surveyQualityFormAnswer, .closeThread, .reopenThread:
            isMirror || content.operator == nil
        default: false
        }
    }
}
