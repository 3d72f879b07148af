/// The reason why a revocation list cannot be used.
///
/// - Remedy: See the finding of the verdict: with soft fail, the connection is not affected.
public struct RevocationListError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure. The text is stable and safe as a metric label. New kinds may be added, so code that
    /// compares with the constants must handle others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code as text.
        public let rawValue: String
        /// Creates a code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The code as text.
        public var description: String { rawValue }

        /// The certificate names no distribution point that can be used.
        public static let noDistributionPoint = Code(rawValue: "noDistributionPoint")
        /// The list could not be fetched.
        public static let unreachable = Code(rawValue: "unreachable")
        /// The list did not arrive in time.
        public static let timedOut = Code(rawValue: "timedOut")
        /// The list exceeds the size limit.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The bytes are not a revocation list.
        public static let malformed = Code(rawValue: "malformed")
        /// The list has a critical extension or another property that is not processed.
        public static let unsupported = Code(rawValue: "unsupported")
        /// The list does not cover the certificate: it is for other certificates, or another key signed it.
        public static let outOfScope = Code(rawValue: "outOfScope")
        /// The lists cover the certificate only in part.
        public static let incomplete = Code(rawValue: "incomplete")
        /// The signer of the list is not authorized to sign lists.
        public static let badSigner = Code(rawValue: "badSigner")
        /// The signature is invalid, or uses a weak or unsupported algorithm.
        public static let badSignature = Code(rawValue: "badSignature")
        /// The list is dated in the future.
        public static let notYetValid = Code(rawValue: "notYetValid")
        /// The list is past its `nextUpdate`.
        public static let expired = Code(rawValue: "expired")
        /// The list is older than one that was used before.
        public static let replayed = Code(rawValue: "replayed")
    }

    /// The kind of failure.
    public var code: Code
    /// A description for people, without a full stop.
    public var reason: String

    /// Creates an error.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The code and the reason as text.
    public var description: String { "\(code.rawValue): \(reason)" }
}
