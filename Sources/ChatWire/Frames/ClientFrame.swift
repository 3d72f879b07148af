/// A frame from the client to the server. Every one carries a correlation id; the reply repeats it.
package struct ClientFrame: Hashable, Sendable {
    package enum Body: Hashable, Sendable {
        case registerDevice(DeviceRegistration)
        case sendMessage(Content, deviceAddress: String?)
        case updateStatuses([StatusChange], deviceAddress: String?)
        case ping
        /// An action that this version does not know.
        case unknown(action: String, data: JSONValue)
    }

    package var correlationID: String
    package var body: Body

    package init(_ body: Body, correlationID: String) {
        self.body = body
        self.correlationID = correlationID
    }

    /// The action's name on the wire.
    package var action: String {
        switch body {
        case .registerDevice: "registerDevice"
        case .sendMessage: "sendMessage"
        case .updateStatuses: "updateStatuses"
        case .ping: "ping"
        case .unknown(let action, _): action
        }
    }
}

extension ClientFrame {
    /// Reads what a client sent.
    package init(parsing bytes: [UInt8], limits: JSONLimits = .frame) throws(WireError) {
        let object = try JSONValue.object(parsing: bytes, limits: limits, in: "frame")
        var fields = FieldReader(object)
        let action = try fields.string("action").required("action", in: "frame")
        correlationID = try fields.identifier("correlationId").required("correlationId", in: action)
        let data = fields.object("data")
        switch action {
        case "registerDevice":
            body = .registerDevice(try DeviceRegistration(try data.required("data", in: action)))
        case "sendMessage":
            var fields = FieldReader(try data.required("data", in: action))
            let content = try fields.object("content").required("content", in: action)
            body = .sendMessage(Content(.object(content)), deviceAddress: fields.string("deviceAddress"))
        case "updateStatuses":
            var fields = FieldReader(try data.required("data", in: action))
            let statuses = try StatusChange.list(&fields, in: action)
            body = .updateStatuses(statuses, deviceAddress: fields.string("deviceAddress"))
        case "ping":
            body = .ping
        default:
            body = .unknown(action: action, data: object["data"] ?? .null)
        }
    }

    /// The frame as one JSON text.
    package var bytes: [UInt8] {
        var object: JSONObject = ["action": .string(action), "correlationId": .string(correlationID)]
        switch body {
        case .registerDevice(let registration):
            object["data"] = .object(registration.json)
        case .sendMessage(let content, let deviceAddress):
            var data: JSONObject = ["content": content.json]
            data.set("deviceAddress", deviceAddress)
            object["data"] = .object(data)
        case .updateStatuses(let changes, let deviceAddress):
            var data: JSONObject = ["statuses": StatusChange.json(changes)]
            data.set("deviceAddress", deviceAddress)
            object["data"] = .object(data)
        case .ping:
            object["data"] = .object([:])
        case .unknown(_, let data):
            object["data"] = data
        }
        return JSONValue.object(object).bytes
    }
}
