import ChatWire

/// A connection or call that failed without a successful answer of the server.
///
/// The complete error, with its trust verdict, stays where the connection was made. Look it up there with `errorID`.
///
/// - Remedy: Look up the complete error with `errorID`.
public struct TransportFailure: Error, Hashable, Sendable {
    /// The kinds of failures that the chat distinguishes.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The device has no network connection.
        case noConnectivity
        /// The server's name could not be resolved, or the server refused or closed the connection.
        case unreachable
        /// A timeout expired.
        case timedOut
        /// The server's certificate was refused; `trust` contains the reason.
        case trust
        /// The TLS handshake failed for a reason other than trust.
        case tlsHandshake
        /// The server did not answer the upgrade with status `101`.
        case upgradeRefused
        /// The server answered with an error status; see `status` and `refusal`.
        case refused
        /// The answer violates the protocol.
        case malformedAnswer
        /// A local file could not be read or written.
        case file
        /// This side cancelled the call.
        case cancelled
        /// Any other failure.
        case other
    }

    /// The kind of the failure.
    public var kind: Kind
    /// The result of the trust evaluation. Set if and only if the kind is `.trust`.
    public var trust: TrustFailureSummary?
    /// The HTTP status of an unsuccessful answer.
    public var status: Int?
    /// The server's description of the failure.
    public var refusal: ServerRefusal?
    /// The delay that the server requested, in milliseconds.
    public var retryAfterMilliseconds: Int64?
    /// A description of how an answer violates the protocol.
    public var explanation: String?
    /// The number under which the complete error is stored; 0 if there is none.
    public var errorID: UInt64

    /// Creates a failure of this kind.
    public init(
        _ kind: Kind, trust: TrustFailureSummary? = nil, status: Int? = nil, refusal: ServerRefusal? = nil,
        retryAfterMilliseconds: Int64? = nil, explanation: String? = nil, errorID: UInt64 = 0
    ) {
        self.explanation = explanation
        self.kind = kind
        self.trust = trust
        self.status = status
        self.refusal = refusal
        self.retryAfterMilliseconds = retryAfterMilliseconds
        self.errorID = errorID
    }
}

/// A failure that the server reported.
///
/// - Remedy: Handle the server's code; it is documented with the chat protocol.
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

/// A short description of a refused certificate, for users and log lines.
public struct TrustFailureSummary: Hashable, Sendable {
    /// The stable code of the finding.
    public var code: String
    /// The description of the finding.
    public var reason: String

    /// Creates a summary with a code and a description.
    public init(code: String, reason: String) {
        self.code = code
        self.reason = reason
    }
}
