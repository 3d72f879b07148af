package import ChatWire

// Rows as JSON values, for stores that keep text. Keys from later versions are kept among the unknown keys of the
// content. Reading an invalid row returns `nil` and never traps.
extension StoredMessage {
    /// The row as a JSON value. Deadlines keep only their wall-clock time, because the monotonic time is meaningless
    /// to the next process.
    package var record: JSONValue {
        var object: JSONObject = ["id": .string(id.text)]
        object.set("serverId", serverID)
        object.set("time", position.time)
        object.set("sequence", position.sequence)
        switch state {
        case .received(let reading): object.set("received", reading.rawValue)
        case .own(let delivery): object["own"] = .object(delivery.record)
        }
        object["content"] = content.json
        return .object(object)
    }

    /// Reads a row that `record` wrote. Returns `nil` if the value is invalid.
    package init?(record: JSONValue) {
        guard let object = record.objectValue, let id = object["id"]?.stringValue,
            let time = object["time"]?.integerValue, let sequence = object["sequence"]?.integerValue,
            let content = object["content"]
        else { return nil }
        let state: MessageState
        if let reading = object["received"]?.stringValue.flatMap(MessageState.Reading.init(rawValue:)) {
            state = .received(reading)
        } else if let delivery = object["own"]?.objectValue.flatMap({ Delivery(record: $0) }) {
            state = .own(delivery)
        } else {
            return nil
        }
        self.init(
            id: MessageID(id), serverID: object["serverId"]?.stringValue, content: Content(content),
            position: MessagePosition(time: time, sequence: sequence), state: state)
    }
}

extension Delivery {
    var record: JSONObject {
        var object = JSONObject()
        switch self {
        case .queued: object.set("state", "queued")
        // The next process cannot know whether a message that was being sent has arrived.
        case .sending, .unconfirmed: object.set("state", "unconfirmed")
        case .sent: object.set("state", "sent")
        case .delivered: object.set("state", "delivered")
        case .read: object.set("state", "read")
        case .failed(let failure, let mayHaveArrived):
            object.set("state", "failed")
            object["failure"] = .object(failure.record)
            object.set("mayHaveArrived", mayHaveArrived)
        }
        object.set("sequence", entry?.sequence)
        object.set("expires", entry?.expires.wall)
        object.set("notBefore", entry?.notBefore?.wall)
        object.set("losses", entry.flatMap { $0.losses > 0 ? Int64($0.losses) : nil })
        object.set("deadline", deadline?.wall)
        return object
    }

    init?(record: JSONObject) {
        func deadline(_ key: String) -> Deadline? {
            record[key]?.integerValue.map { Deadline(monotonic: .max, wall: $0) }
        }
        var entry: OutboxEntry?
        if let sequence = record["sequence"]?.integerValue, let expires = deadline("expires") {
            entry = OutboxEntry(
                sequence: sequence, expires: expires, notBefore: deadline("notBefore"),
                losses: Int(clamping: min(max(record["losses"]?.integerValue ?? 0, 0), 1_000_000)))
        }
        switch (record["state"]?.stringValue, entry) {
        case ("queued", .some(let entry)): self = .queued(entry, deadline: deadline("deadline"))
        case ("unconfirmed", .some(let entry)): self = .unconfirmed(entry, deadline: deadline("deadline"))
        case ("sent", _): self = .sent
        case ("delivered", _): self = .delivered
        case ("read", _): self = .read
        case ("failed", _):
            guard let failure = record["failure"]?.objectValue.flatMap({ SendFailure(record: $0) }) else { return nil }
            self = .failed(failure, mayHaveArrived: record["mayHaveArrived"]?.boolValue ?? true)
        default: return nil
        }
    }
}

extension SendFailure {
    var record: JSONObject {
        switch self {
        case .refused(let refusal):
            var object: JSONObject = ["kind": "refused", "code": .string(refusal.code)]
            object.set("details", refusal.details)
            return object
        case .timedOut: return ["kind": "timedOut"]
        case .lost(let tries): return ["kind": "lost", "tries": .integer(Int64(tries))]
        case .expired: return ["kind": "expired"]
        case .upload(let failure):
            var object: JSONObject = ["kind": "upload", "transport": .string(failure.kind.rawValue)]
            object.set("status", failure.status.map(Int64.init))
            object.set("code", failure.refusal?.code)
            object.set("details", failure.refusal?.details)
            object.set("trustCode", failure.trust?.code)
            object.set("trustReason", failure.trust?.reason)
            return object
        }
    }

    init?(record: JSONObject) {
        let refusal = record["code"]?.stringValue.map {
            ServerRefusal(code: $0, details: record["details"]?.stringValue)
        }
        switch record["kind"]?.stringValue {
        case "refused":
            guard let refusal else { return nil }
            self = .refused(refusal)
        case "timedOut": self = .timedOut
        case "lost": self = .lost(tries: Int(clamping: record["tries"]?.integerValue ?? 0))
        case "expired": self = .expired
        case "upload":
            let kind = record["transport"]?.stringValue.flatMap(TransportFailure.Kind.init(rawValue:)) ?? .other
            let trust = record["trustCode"]?.stringValue.map {
                TrustFailureSummary(code: $0, reason: record["trustReason"]?.stringValue ?? "")
            }
            self = .upload(
                TransportFailure(
                    kind, trust: trust, status: record["status"]?.integerValue.map { Int(clamping: $0) },
                    refusal: refusal))
        default: return nil
        }
    }
}
