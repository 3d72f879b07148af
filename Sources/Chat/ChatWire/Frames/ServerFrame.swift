/// A frame from the server to the client. A reply repeats the action and the correlation id of the client's frame. A
/// push has no correlation id and may contain its creation time.
package struct ServerFrame: Hashable, Sendable {
    package enum Body: Hashable, Sendable {
        /// The reply to `registerDevice`. The client stores the address.
        case registered(deviceAddress: String)
        /// The reply to `sendMessage`.
        case receipt(SendReceipt)
        /// The reply to an action without further data (`ping`, `updateStatuses`).
        case done(action: String)
        /// A reply or push that reports a failure.
        case failure(action: String, ErrorAnswer)
        /// `getMessages`: new messages.
        case messages([DeliveredMessage])
        /// `getStatuses`: the delivery statuses of the client's messages.
        case statuses([StatusChange])
        /// An action that this version does not know.
        case unknown(action: String, data: JSONValue)
    }

    package var correlationID: String?
    /// The time in milliseconds since 1970, on the server's clock.
    package var createdAt: Int64?
    package var body: Body
    /// Unknown keys of the envelope.
    package var extra: JSONObject = [:]
    /// Unknown keys of `data` that the body does not keep, and parts that could not be read.
    package var dataExtra: JSONObject = [:]
    /// Parts that could not be read. Messages have their own lists; see `allProblems`.
    package private(set) var problems: [WireProblem] = []

    package init(_ body: Body, correlationID: String? = nil, createdAt: Int64? = nil) {
        self.body = body
        self.correlationID = correlationID
        self.createdAt = createdAt
    }

    /// The action's name on the wire.
    package var action: String {
        switch body {
        case .registered: "registerDevice"
        case .receipt: "sendMessage"
        case .messages: "getMessages"
        case .statuses: "getStatuses"
        case .done(let action), .failure(let action, _), .unknown(let action, _): action
        }
    }

    /// All parts of the frame that could not be read.
    package var allProblems: [WireProblem] {
        guard case .messages(let messages) = body else { return problems }
        var all = problems
        for (index, message) in messages.enumerated() {
            let inner = message.problems + message.content.allProblems.map { $0.inside("content") }
            all += inner.map { $0.inside("data.messages[\(index)]") }
        }
        return all
    }
}

extension ServerFrame {
    /// Reads a frame from a server. Throws ``WireError`` if a required part is missing.
    package init(
        parsing bytes: [UInt8], limits: JSONLimits = .frame, dialect: ChatDialect = .documented
    ) throws(WireError) {
        let object = try JSONValue.frame(parsing: bytes, limits: limits, dialect)
        var fields = FieldReader(object)
        let action = try fields.string("action").required("action", in: "frame")
        correlationID = fields.identifier("correlationId")
        createdAt = fields.time("createdAt")
        let data = fields.object("data")
        var inner = FieldReader(data ?? [:])
        if let failure = ErrorAnswer(&inner) {
            body = .failure(action: action, failure)
            dataExtra = inner.rest
        } else {
            switch action {
            case "registerDevice":
                let address = inner.identifier("deviceAddress")
                body = .registered(deviceAddress: try address.required("deviceAddress", in: action))
                dataExtra = inner.rest
            case "sendMessage":
                _ = try data.required("data", in: action)
                body = .receipt(try SendReceipt(&inner))
            case "getMessages":
                _ = try data.required("data", in: action)
                let messages = try inner.array("messages").required("messages", in: action)
                body = .messages(messages.map(DeliveredMessage.init))
                dataExtra = inner.rest
            case "getStatuses":
                _ = try data.required("data", in: action)
                body = .statuses(try StatusChange.list(&inner, in: action))
                dataExtra = inner.rest
            case "ping", "updateStatuses":
                body = .done(action: action)
                dataExtra = inner.rest
            default:
                body = .unknown(action: action, data: object["data"] ?? .null)
                if data == nil { _ = fields.take("data") }
            }
        }
        extra = fields.rest
        problems = fields.problems + inner.problems.map { $0.inside("data") }
    }

    /// The frame as JSON.
    package var bytes: [UInt8] { bytes(in: .documented) }

    /// Returns the frame as JSON with the names of `dialect`.
    package func bytes(in dialect: ChatDialect) -> [UInt8] {
        var object: JSONObject = ["action": .string(action)]
        object.set("correlationId", correlationID)
        object.set("createdAt", createdAt)
        var data = JSONObject()
        switch body {
        case .registered(let deviceAddress): data["deviceAddress"] = .string(deviceAddress)
        case .receipt(let receipt): data = receipt.json
        case .done, .unknown: break
        case .failure(_, let failure): data = failure.json
        case .messages(let messages): data["messages"] = .array(messages.map(\.json))
        case .statuses(let changes): data["statuses"] = .array(changes.map(\.json))
        }
        data.append(missingFrom: dataExtra)
        if !data.isEmpty || extra["data"] == nil { object["data"] = .object(data) }
        if case .unknown(_, let raw) = body { object["data"] = raw }
        object.append(missingFrom: extra)
        return dialect.written(frame: object)
    }
}
