/// One thing that is wrong with a ``ChatTransportConfig``.
public struct ChatTransportProblem: Hashable, Sendable, CustomStringConvertible {
    /// The argument that the problem lies in.
    public enum Field: String, Hashable, Sendable, CaseIterable {
        case rest, webSocket, dataStore, cloudHost, dataStoreHTTPHeaders
    }

    /// The kind of problem: stable, and a safe metric label.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// There is no text.
        case empty
        /// The text is no address.
        case malformed
        /// The scheme is missing, or not one that this address can have.
        case wrongScheme
        /// The host is missing or cannot be canonicalised.
        case invalidHost
        /// The port is not between 1 and 65535.
        case invalidPort
        /// The address carries a user name, a query or a fragment, or a host carries a path.
        case unexpectedPart
        /// The scheme is not encrypted, and the host is not this machine.
        case cleartext
        /// A header's name or value cannot be sent.
        case invalidHeader
    }

    /// Where the problem lies.
    public var field: Field
    /// The kind of problem.
    public var code: Code
    /// What was given; for a header its name alone.
    public var given: String
    /// One sentence for a person.
    public var reason: String

    /// Describes a problem.
    public init(_ field: Field, _ code: Code, given: String, reason: String) {
        self.field = field
        self.code = code
        self.given = given
        self.reason = reason
    }

    public var description: String { "\(field.rawValue): \(reason)" }
}
