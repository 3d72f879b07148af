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
