/// An error that a server reports in a frame's `data` or in the body of a REST answer: `error` and `errorDetails`.
///
/// A ``WireError`` reports an answer that cannot be read.
package struct ErrorAnswer: Error, Hashable, Sendable, CustomStringConvertible {
    /// The code, unchanged.
    package var error: String
    package var details: String?

    package init(_ error: String, details: String? = nil) {
        self.error = error
        self.details = details
    }

    /// Reads the body of a REST answer with a status of 400 or above. Returns `nil` if the body is something else, such
    /// as a proxy's error page.
    package init?(parsing bytes: [UInt8], dialect: ChatDialect = .documented) {
        guard let object = try? JSONValue.object(parsing: bytes, limits: .answer, in: "failure", dialect) else {
            return nil
        }
        self.init(object)
    }

    init?(_ object: JSONObject) {
        var fields = FieldReader(object)
        self.init(&fields)
    }

    /// Reads an error. Values that are not strings are kept as JSON text.
    init?(_ fields: inout FieldReader) {
        guard let error = fields.words("error") else { return nil }
        self.error = error
        details = fields.words("errorDetails")
    }

    var json: JSONObject {
        var object: JSONObject = ["error": .string(error)]
        object.set("errorDetails", details)
        return object
    }

    package var bytes: [UInt8] { JSONValue.object(json).bytes }

    package var description: String { details.map { "\(error) (\($0))" } ?? error }

    // Codes that Holdfast's client and servers share.
    package static let tokenExpired = ErrorAnswer("UNAUTHORIZED", details: "expired")
    package static let tokenInvalid = ErrorAnswer("UNAUTHORIZED", details: "invalid")
    package static let restrictedFileType = ErrorAnswer("file.restricted.type")
    package static let restrictedFileSize = ErrorAnswer("file.restricted.size")
    package static let fileNotFound = ErrorAnswer("file.not-found")
    /// The history request refers to a message that the server does not know. The client requests the newest page
    /// instead.
    package static let unknownCursor = ErrorAnswer("history.cursor-unknown")

    /// Whether the server rejected the token.
    package var isUnauthorized: Bool { error == "UNAUTHORIZED" }
}
