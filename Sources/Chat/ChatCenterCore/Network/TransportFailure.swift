/// Why a connection or a call came to nothing before the server could answer.
///
/// The error itself, with its verdict, stays where the connection was made; `errorID` finds it there.
public struct TransportFailure: Error, Hashable, Sendable {
    /// What went wrong, as a closed set that the chat can act on.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// There is no network.
        case noConnectivity
        /// The server's name could not be resolved, or it refused or cut the connection.
        case unreachable
        /// A deadline passed.
        case timedOut
        /// The server's certificate was refused; `trust` says why.
        case trust
        /// The TLS handshake failed for another reason.
        case tlsHandshake
        /// The server answered the upgrade with something else than `101`.
        case upgradeRefused
        /// The server answered with a status that is no success; `status` and `refusal` say which.
        case refused
        /// The server answered in a way that the protocol does not allow.
        case malformedAnswer
        /// A local file could not be read or written.
        case file
        /// The call was cancelled by this side.
        case cancelled
        /// Anything else.
        case other
    }

    /// What went wrong.
    public var kind: Kind
    /// What the trust evaluation found; set exactly for `.trust`.
    public var trust: TrustFailureSummary?
    /// The status of an HTTP answer that was no success.
    public var status: Int?
    /// What the server said about the failure.
    public var refusal: ServerRefusal?
    /// How long the server asked to wait, in milliseconds.
    public var retryAfterMilliseconds: Int64?
    /// What is wrong with an answer that the protocol does not allow, in words.
    public var explanation: String?
    /// The number under which the whole error can be looked up; 0 when there is none.
    public var errorID: UInt64

    /// A failure of this kind.
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
