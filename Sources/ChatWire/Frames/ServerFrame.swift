/// A frame from the server to the client: a reply, which repeats the action and the correlation id of what it answers,
/// or a push, which has no correlation id and may say when it was made.
package struct ServerFrame: Hashable, Sendable {
    package enum Body: Hashable, Sendable {
        /// The reply to `registerDevice`; the address is to be kept.
        case registered(deviceAddress: String)
        /// The reply to `sendMessage`.
        case receipt(SendReceipt)
        /// The reply to an action whose reply says no more than that it was done (`ping`, `updateStatuses`).
        case done(action: String)
        /// A reply or push that states a failure.
        case failure(action: String, WireFailure)
        /// `getMessages`
        case messages([DeliveredMessage])
        /// `getStatuses`: how far the client's messages came.
        case statuses([StatusChange])
        /// An action that this version does not know.
        case unknown(action: String, data: JSONValue)
    }

    package var correlationID: String?
    /// Milliseconds since 1970, by the server's clock.
    package var createdAt: Int64?
    package var body: Body

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
}

extension ServerFrame {
    /// Reads what a server sent.
    package init(parsing bytes: [UInt8], limits: JSONLimits = .frame) throws(WireError) {
        let object = try JSONValue.object(parsing: bytes, limits: limits, in: "frame")
        var fields = FieldReader(object)
        let action = try fields.string("action").required("action", in: "frame")
        correlationID = fields.identifier("correlationId")
        createdAt = fields.time("createdAt")
        let data = fields.object("data")
        if let data, let failure = WireFailure(data) {
            body = .failure(action: action, failure)
            return
        }
        switch action {
        case "registerDevice":
            let address = data?["deviceAddress"]?.stringValue
            body = .registered(deviceAddress: try address.required("deviceAddress", in: action))
        case "sendMessage":
            body = .receipt(try SendReceipt(try data.required("data", in: action)))
        case "getMessages":
            var fields = FieldReader(try data.required("data", in: action))
            let messages = try fields.array("messages").required("messages", in: action)
            body = .messages(messages.map(DeliveredMessage.init))
        case "getStatuses":
            var fields = FieldReader(try data.required("data", in: action))
            body = .statuses(try StatusChange.list(&fields, in: action))
        case "ping", "updateStatuses":
            body = .done(action: action)
        default:
            body = .unknown(action: action, data: object["data"] ?? .null)
        }
    }

    /// The frame as one JSON text.
    package var bytes: [UInt8] {
        var object: JSONObject = ["action": .string(action)]
        object.set("correlationId", correlationID)
        object.set("createdAt", createdAt)
        switch body {
        case .registered(let deviceAddress):
            object["data"] = .object(["deviceAddress": .string(deviceAddress)])
        case .receipt(let receipt):
            object["data"] = .object(receipt.json)
        case .done:
            object["data"] = .object([:])
        case .failure(_, let failure):
            object["data"] = .object(failure.json)
        case .messages(let messages):
            object["data"] = .object(["messages": .array(messages.map(\.json))])
        case .statuses(let changes):
            object["data"] = .object(["statuses": StatusChange.json(changes)])
        case .unknown(_, let data):
            object["data"] = data
        }
        return JSONValue.object(object).bytes
    }
}
