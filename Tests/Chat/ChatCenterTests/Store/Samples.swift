import ChatCenterCore
import ChatWire

/// Messages for tests of stores.
enum Sample {
    static func received(_ id: String, at time: Int64, text: String? = nil) -> StoredMessage {
        StoredMessage(
            id: MessageID(id), serverID: "server-\(id)",
            content: Content(
                .message, uuid: id, operator: Operator(id: "1", name: "Vera", role: .bot), text: text ?? "text \(id)",
                receivedDate: time),
            position: MessagePosition(time: time, sequence: 0), state: .received(.unread))
    }

    static func own(_ id: String, at time: Int64, _ delivery: Delivery, text: String? = nil) -> StoredMessage {
        StoredMessage(
            id: MessageID(id), content: Content(.message, uuid: id, text: text ?? "own \(id)"),
            position: MessagePosition(time: time, sequence: 1), state: .own(delivery))
    }

    static func entry(_ sequence: Int64) -> OutboxEntry {
        OutboxEntry(sequence: sequence, expires: Deadline(monotonic: 5, wall: 6))
    }

    /// One message for every state.
    static var everyState: [StoredMessage] {
        let deadline = Deadline(monotonic: .max, wall: .min)
        let failure = TransportFailure(
            .trust, trust: TrustFailureSummary(code: "pinMismatch", reason: "no"), status: 500,
            refusal: ServerRefusal(code: "x", details: "y"))
        let deliveries: [Delivery] = [
            .queued(entry(1), deadline: nil), .queued(entry(2), deadline: deadline),
            .sending(entry(3), deadline: deadline),
            .unconfirmed(entry(4), deadline: deadline), .unconfirmed(entry(5), deadline: nil), .sent, .delivered, .read,
            .failed(.timedOut, mayHaveArrived: true), .failed(.expired, mayHaveArrived: false),
            .failed(.refused(ServerRefusal(code: "file.restricted.type")), mayHaveArrived: false),
            .failed(.upload(failure), mayHaveArrived: false),
        ]
        let sent = deliveries.enumerated().map { Self.own("own-\($0.offset)", at: Int64($0.offset), $0.element) }
        let readings: [MessageState.Reading] = [.unread, .readHere, .read]
        let arrived = readings.enumerated().map { index, reading in
            var message = Self.received("received-\(index)", at: 100 + Int64(index))
            message.state = .received(reading)
            return message
        }
        return sent + arrived
    }

    /// Contents of several kinds, including an unknown one.
    static var contents: [Content] {
        [
            Content(
                .message, clientID: "c", threadID: 7, uuid: "u", messageID: "m", text: "Привет, “мир”\n\u{0}",
                formattedText: "**x**", receivedDate: 1_741_277_571_438,
                attachments: [Attachment(result: "file", name: "a.png", type: "image/png", size: 3, state: .ready)],
                quotes: [Content(.message, uuid: "q", text: "quoted")],
                quickReplies: [QuickReply(id: "1", text: "Yes")], read: true, settings: nil, modified: .edited,
                appMarker: "app", apiVersion: 17, extra: ["later": .array([.integer(1), .null])]),
            Content(.threadOpened, text: "opened"),
            Content(.unknown(type: "HOLOGRAM", raw: .object(["type": .string("HOLOGRAM"), "x": .bool(true)]))),
        ]
    }
}
