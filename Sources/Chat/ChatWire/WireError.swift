/// Why bytes from the other end are not what the protocol allows. A peer can cause every one of these; none is a trap.
package struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// The text is not JSON, or longer or deeper than allowed.
        case json(JSONError)
        /// The JSON is not an object where one must be.
        case notAnObject
        /// A field that the message cannot do without is absent or of the wrong kind.
        case missingField(String)
    }

    package let code: Code
    /// What was being read: an action, a content type or the name of an answer.
    package let context: String

    package init(_ code: Code, in context: String) {
        self.code = code
        self.context = context
    }

    package var description: String {
        switch code {
        case .json(let error): "\(context): \(error)"
        case .notAnObject: "\(context): not a JSON object"
        case .missingField(let name): "\(context): field \(name) is missing or of the wrong kind"
        }
    }
}

extension JSONValue {
    /// Reads the object that `context` must be.
    static func object(
        parsing bytes: [UInt8], limits: JSONLimits, in context: String, _ dialect: ChatDialect = .documented
    ) throws(WireError) -> JSONObject {
        dialect.read(try plainObject(parsing: bytes, limits: limits, in: context))
    }

    /// Reads the object that a frame must be.
    static func frame(
        parsing bytes: [UInt8], limits: JSONLimits, _ dialect: ChatDialect
    ) throws(WireError) -> JSONObject {
        dialect.read(frame: try plainObject(parsing: bytes, limits: limits, in: "frame"))
    }

    private static func plainObject(
        parsing bytes: [UInt8], limits: JSONLimits, in context: String
    ) throws(WireError) -> JSONObject {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: bytes, limits: limits)
        } catch {
            throw WireError(.json(error), in: context)
        }
        guard let object = value.objectValue else { throw WireError(.notAnObject, in: context) }
        return object
    }
}

extension Optional {
    /// The value, or the error that names the field that should have held it.
    func required(_ field: String, in context: String) throws(WireError) -> Wrapped {
        guard let self else { throw WireError(.missingField(field), in: context) }
        return self
    }
}

/// A part of something that a peer sent and that could not be read. The rest was read; the part itself is kept and
/// written back as it came.
package struct WireProblem: Hashable, Sendable, CustomStringConvertible {
    /// Where, such as `attachments[1].size`.
    package var path: String
    /// What the protocol has there.
    package var expected: String
    /// The kind of value that was there instead. Never the value itself: it may be a person's text.
    package var found: String

    init(at path: String, expected: String, found: JSONValue) {
        self.path = path
        self.expected = expected
        self.found = found.kindName
    }

    /// The same problem seen from the object around it.
    func inside(_ outer: String) -> WireProblem {
        var problem = self
        problem.path = outer + "." + path
        return problem
    }

    package var description: String { "\(path): \(expected) is expected, found \(found)" }
}

extension JSONValue {
    /// What kind of value it is, in words.
    var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a truth value"
        case .number: "a number"
        case .string: "text"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
