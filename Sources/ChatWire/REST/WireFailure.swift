/// An error as a server states it, in a frame's `data` or in the body of a REST answer: `error` and `errorDetails`.
package struct WireFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The code, kept as the server wrote it.
    package var error: String
    package var details: String?

    package init(_ error: String, details: String? = nil) {
        self.error = error
        self.details = details
    }

    /// The body of a REST answer with a status of 400 or above; `nil` when the server sent something else, such as a
    /// proxy's page.
    package init?(parsing bytes: [UInt8]) {
        guard let value = try? JSONValue(parsing: bytes, limits: .answer), let object = value.objectValue else {
            return nil
        }
        self.init(object)
    }

    init?(_ object: JSONObject) {
        guard let error = object["error"]?.stringValue else { return nil }
        self.error = error
        details = object["errorDetails"]?.stringValue
    }

    var json: JSONObject {
        var object: JSONObject = ["error": .string(error)]
        object.set("errorDetails", details)
        return object
    }

    package var bytes: [UInt8] { JSONValue.object(json).bytes }

    package var description: String { details.map { "\(error) (\($0))" } ?? error }

    // Codes that both of Holdfast's ends use.
    package static let tokenExpired = WireFailure("UNAUTHORIZED", details: "expired")
    package static let tokenInvalid = WireFailure("UNAUTHORIZED", details: "invalid")
    package static let restrictedFileType = WireFailure("file.restricted.type")
    package static let restrictedFileSize = WireFailure("file.restricted.size")
    package static let fileNotFound = WireFailure("file.not-found")
    /// The history call named a message that the server does not know; the client asks for the newest page instead.
    package static let unknownCursor = WireFailure("history.cursor-unknown")

    /// The server does not accept the token (any more).
    package var isUnauthorized: Bool { error == "UNAUTHORIZED" }
}
