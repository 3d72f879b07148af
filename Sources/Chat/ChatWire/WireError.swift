/// An error that reports input from a peer that violates the protocol. Such input never causes a trap.
///
/// If only a part is unreadable, the rest is used, and a ``WireProblem`` describes the part. An ``ErrorAnswer`` is an
/// error that the server sends.
package struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// The text is not JSON, or longer or deeper than allowed.
        case json(JSONError)
        /// The JSON is not an object where the protocol requires one.
        case notAnObject
        /// A required field is missing or has the wrong type.
        case missingField(String)
    }

    package let code: Code
    /// The input that was being read: an action, a content type or the name of an answer.
    package let context: String

    package init(_ code: Code, in context: String) {
        self.code = code
        self.context = context
    }

    package var description: String {
        switch code {
        case .json(let error): "\(context): \(error)"
        case .notAnObject: "\(context): not a JSON object"
        case .missingField(let name): "\(context): field \(name) is missing or has the wrong type"
        }
    }
}

extension Optional {
    /// Returns the value. Throws ``WireError/Code/missingField(_:)`` if it is `nil`.
    func required(_ field: String, in context: String) throws(WireError) -> Wrapped {
        guard let self else { throw WireError(.missingField(field), in: context) }
        return self
    }
}

/// A part of a peer's message that could not be read. The rest of the message was read. The part is kept and written
/// back unchanged.
package struct WireProblem: Hashable, Sendable, CustomStringConvertible {
    /// The path of the part, such as `attachments[1].size`.
    package var path: String
    /// The value that the protocol requires there.
    package var expected: String
    /// The type of the value that was found. It is never the value itself, which may be a person's text.
    package var found: String

    init(at path: String, expected: String, found: JSONValue) {
        self.path = path
        self.expected = expected
        self.found = found.kindName
    }

    /// Returns the same problem with a path that begins with the enclosing key.
    func inside(_ outer: String) -> WireProblem {
        var problem = self
        problem.path = outer + "." + path
        return problem
    }

    package var description: String { "\(path): expected \(expected), found \(found)" }
}
