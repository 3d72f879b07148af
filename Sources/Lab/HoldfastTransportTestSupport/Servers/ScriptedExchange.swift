/// A request that a scripted server has received.
public struct ScriptedRequest: Hashable, Sendable {
    /// The number of the connection in the order of acceptance, from zero.
    public var connection: Int
    /// The number of the request on its connection, from zero.
    public var number: Int
    /// The method.
    public var method: String
    /// The target of the request line.
    public var target: String
    /// The header fields in order. Names are as received.
    public var fields: [Field]
    /// The body. Chunked bodies are decoded.
    public var body: [UInt8] = []

    /// One header field.
    public struct Field: Hashable, Sendable {
        /// The name as received.
        public var name: String
        /// The value.
        public var value: String
    }

    /// Returns the value of the first field with this name. The comparison ignores case.
    public func field(_ name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// One step in the script of a scripted server.
public enum ScriptedAction: Sendable {
    /// Sends exactly these bytes.
    case send([UInt8])
    /// Waits for the trigger.
    case wait(Trigger)
    /// Stops reading.
    case stopReading
    /// Closes the connection. With TLS, it sends a close_notify alert.
    case close
    /// Closes the socket immediately, without a close_notify alert.
    case cut
    /// Resets the connection.
    case reset

    /// Sends text; its line breaks are sent as CR LF.
    public static func text(_ text: String) -> ScriptedAction {
        .send(Array(text.replacingLineFeeds.utf8))
    }

    /// Sends a complete response with a `Content-Length`.
    public static func respond(_ body: String = "", status: String = "200 OK", fields: [String] = []) -> ScriptedAction
    {
        let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + fields
        return .send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8))
    }
}

extension String {
    fileprivate var replacingLineFeeds: String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasSuffix("\r") ? String($0.dropLast()) : String($0) }
            .joined(separator: "\r\n")
    }
}
