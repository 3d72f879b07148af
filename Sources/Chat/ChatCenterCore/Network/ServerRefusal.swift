import ChatWire

/// A failure as the server states it.
public struct ServerRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The server's code, as it wrote it.
    public var code: String
    /// The server's details, if it gave any.
    public var details: String?

    /// A failure with this code.
    public init(code: String, details: String? = nil) {
        self.code = code
        self.details = details
    }

    init(_ failure: ErrorAnswer) {
        self.init(code: failure.error, details: failure.details)
    }

    public var description: String { details.map { "\(code) (\($0))" } ?? code }
}
