/// Why an OCSP answer cannot be used.
public struct OCSPError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The certificate names no responder that can be asked.
        case noResponder
        /// The request failed on its way.
        case unreachable
        /// There was no answer in time.
        case timedOut
        /// More bytes than an answer may have.
        case tooLarge
        /// The bytes are no OCSP answer.
        case malformed
        /// The responder says that it has no answer: it is busy, broken, or not for this certificate.
        case notSuccessful
        /// The answer has a critical extension that is not processed.
        case unhandledCriticalExtension
        /// The answer is not about the certificate that was asked about.
        case otherCertificate
        /// The answer is not the one to this request: its nonce is missing or another.
        case nonceMismatch
        /// Nobody who may answer for the issuer signed the answer.
        case unauthorizedResponder
        /// The signature does not verify, or uses an algorithm that cannot be relied on.
        case badSignature
        /// The answer is from the future.
        case notYetValid
        /// The answer is too old.
        case expired
    }

    /// The kind of failure.
    public var code: Code
    /// Words for a person, without a full stop.
    public var reason: String
    /// The offset of the offending byte, where known.
    public var offset: Int?

    /// Makes an error.
    public init(_ code: Code, _ reason: String, offset: Int? = nil) {
        self.code = code
        self.reason = reason
        self.offset = offset
    }

    public var description: String { "\(code.rawValue): \(reason)" }

    static func malformed(_ fault: DERFault) -> OCSPError {
        OCSPError(.malformed, "at byte \(fault.offset), \(fault.reason.rawValue)", offset: fault.offset)
    }
}
