/// A frame from the client to the server. Each frame contains a correlation id, which the reply repeats.
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
    /// Unknown keys of the envelope.
    package var extra: JSONObject = [:]
    /// Unknown keys of `data` that the body does not keep, and parts that could not be read.
    package var dataExtra: JSONObject = [:]
    /// Parts that could not be read. A content has its own list.
    package private(set) var problems: [WireProblem] = []

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
    /// Reads a frame from a client. Throws ``WireError`` if a required part is missing.
    package init(
        parsing bytes: [UInt8], limits: JSONLimits = .frame, dialect: ChatDialect = .documented
    ) throws(WireError) {
        let object = try JSONValue.frame(parsing: bytes, limits: limits, dialect)
        var fields = FieldReader(object)
        let action = try fields.string("action").required("action", in: "frame")
        correlationID = try fields.identifier("correlationId").required("correlationId", in: action)
        let data = fields.object("data")
        var inner = FieldReader(data ?? [:])
        switch action {
        case "registerDevice":
            _ = try data.required("data", in: action)
            body = .registerDevice(try DeviceRegistration(&inner))
        case "sendMessage":
            _ = try data.required("data", in: action)
            let content = try inner.object("content").required("content", in: action)
            body = .sendMessage(Content(.object(content)), deviceAddress: inner.string("deviceAddress"))
            dataExtra = inner.rest
        case "updateStatuses":
            _ = try data.required("data", in: action)
            let statuses = try StatusChange.list(&inner, in: action)
            body = .updateStatuses(statuses, deviceAddress: inner.string("deviceAddress"))
            dataExtra = inner.rest
        case "ping":
            body = .ping
            dataExtra = inner.rest
        default:
            body = .unknown(action: action, data: object["data"] ?? .null)
            if data == nil { _ = fields.take("data") }
        }
        extra = fields.rest
        problems = fields.problems + inner.problems.map { $0.inside("data") }
    }

    /// The frame as JSON.
    package var bytes: [UInt8] { bytes(in: .documented) }

    /// Returns the frame as JSON with the names of `dialect`.
    package func bytes(in dialect: ChatDialect) -> [UInt8] {
        var data = JSONObject()
        switch body {
        case .registerDevice(let registration):
            data = registration.json
        case .sendMessage(let content, let deviceAddress):
            data["content"] = content.json
            data.set("deviceAddress", deviceAddress)
        case .updateStatuses(let changes, let deviceAddress):
            data["statuses"] = .array(changes.map(\.json))
            data.set("deviceAddress", deviceAddress)
        case .ping, .unknown:
            break
        }
        data.append(missingFrom: dataExtra)
        var object: JSONObject = ["action": .string(action), "correlationId": .string(correlationID)]
        if !data.isEmpty || extra["data"] == nil { object["data"] = .object(data) }
        if case .unknown(_, let raw) = body { object["data"] = raw }
        object.append(missingFrom: extra)
        return dialect.written(frame: object)
    }
}
