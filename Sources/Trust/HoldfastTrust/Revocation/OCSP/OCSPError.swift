/// The reason why an OCSP answer cannot be used.
///
/// - Remedy: See the finding of the verdict: with soft fail, the connection is not affected.
public struct OCSPError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure. The text is stable and safe as a metric label. New kinds may be added, so code that
    /// compares with the constants must handle others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code as text.
        public let rawValue: String
        /// Creates a code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The code as text.
        public var description: String { rawValue }

        /// The certificate names no usable responder.
        public static let noResponder = Code(rawValue: "noResponder")
        /// The request could not be delivered.
        public static let unreachable = Code(rawValue: "unreachable")
        /// No answer arrived in time.
        public static let timedOut = Code(rawValue: "timedOut")
        /// The answer exceeds the size limit.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The bytes are not an OCSP answer.
        public static let malformed = Code(rawValue: "malformed")
        /// The responder reports that it has no answer: it is busy, has an internal error, or is not responsible for
        /// the certificate.
        public static let notSuccessful = Code(rawValue: "notSuccessful")
        /// The answer has a critical extension that is not processed.
        public static let unhandledCriticalExtension = Code(rawValue: "unhandledCriticalExtension")
        /// The answer is not about the requested certificate.
        public static let otherCertificate = Code(rawValue: "otherCertificate")
        /// The nonce of the answer is missing or differs from the request.
        public static let nonceMismatch = Code(rawValue: "nonceMismatch")
        /// The signer of the answer is not authorized to answer for the issuer.
        public static let unauthorizedResponder = Code(rawValue: "unauthorizedResponder")
        /// The signature is invalid, or uses a weak or unsupported algorithm.
        public static let badSignature = Code(rawValue: "badSignature")
        /// The answer is dated in the future.
        public static let notYetValid = Code(rawValue: "notYetValid")
        /// The answer is too old.
        public static let expired = Code(rawValue: "expired")
    }

    /// The kind of failure.
    public var code: Code
    /// A description for people, without a full stop.
    public var reason: String
    /// The byte offset of the error, if known.
    public var offset: Int?

    /// Creates an error.
    public init(_ code: Code, _ reason: String, offset: Int? = nil) {
        self.code = code
        self.reason = reason
        self.offset = offset
    }

    /// The reason as text.
    public var description: String { "\(code.rawValue): \(reason)" }

    static func malformed(_ fault: DERFault) -> OCSPError {
        OCSPError(.malformed, "at byte \(fault.offset), \(fault.reason.rawValue)", offset: fault.offset)
    }
}
