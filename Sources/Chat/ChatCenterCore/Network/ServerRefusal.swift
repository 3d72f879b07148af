import ChatWire

/// A failure that the server reported.
public struct ServerRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The server's code, unchanged.
    public var code: String
    /// The server's details, if any.
    public var details: String?

    /// Creates a refusal with this code.
    public init(code: String, details: String? = nil) {
        self.code = code
        self.details = details
    }

    init(_ failure: ErrorAnswer) {
        self.init(code: failure.error, details: failure.details)
    }

    /// The code, followed by the details if there are any.
    public var description: String { details.map { "\(code) (\($0))" } ?? code }
}
