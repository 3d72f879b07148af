public import HoldfastTrust

/// Why the chat does not connect, and what is to be done about it: the table "SSL error diagnostics" of the documented
/// network settings, as values, and what else the SDK can tell apart.
///
/// A diagnosis is drawn from what was seen. It cannot tell a server that changed its key from somebody between the app
/// and the server: both show a key that is not trusted, and ``remedy`` says so.
public struct ChatConnectionDiagnosis: Hashable, Sendable, CustomStringConvertible {
    /// What it comes down to: stable, and a safe metric label.
    public enum Cause: String, Hashable, Sendable, CaseIterable {
        // The documented table, row by row.

        /// No key of the server's chain is one of the trusted ones, and none ever was.
        case keysDiffer
        /// The server's key is not trusted any more: it was, with the same trusted certificates.
        case keysRotated
        /// A certificate is not in the app's bundle, or its name and extension were split wrongly.
        case certificateMissing
        /// App Transport Security differs between two builds.
        case transportSecurityDiffers

        // What the table leaves open.

        /// A file is no certificate: PEM where DER is expected, or damaged.
        case certificateUnreadable
        /// Not one of the trusted certificates can be read: every connection is refused.
        case noUsableCertificates
        /// The server was accepted before, but the app's list of trusted certificates is another one since.
        case trustedKeysChanged
        /// The server's certificate is for another host.
        case hostDiffers
        /// The server's certificate has run out, or is not valid yet.
        case certificateOutOfDate
        /// The system does not know who issued the server's certificate.
        case issuerUnknown
        /// The system refuses the server's certificate for another reason.
        case certificateRefused
        /// The handshake failed before a certificate was seen.
        case handshakeFailed
        /// The configured addresses cannot be used.
        case addressesUnusable
        /// There is no network, the server cannot be reached, or it does not answer in time.
        case unreachable
    }

    /// One observation that the diagnosis rests on.
    public enum Evidence: Hashable, Sendable, CustomStringConvertible {
        /// A key that the server showed, its own first.
        case serverKey(SPKIDigest)
        /// A key that the app trusts.
        case trustedKey(SPKIDigest)
        /// A key that the server showed when it was accepted last.
        case acceptedKey(SPKIDigest)
        /// The finding of the trust evaluation.
        case finding(TrustFinding.Code)
        /// A fact in words.
        case fact(String)

        public var description: String {
            switch self {
            case .serverKey(let digest): "the server shows \(digest)"
            case .trustedKey(let digest): "trusted is \(digest)"
            case .acceptedKey(let digest): "accepted before was \(digest)"
            case .finding(let code): "the evaluation found \(code)"
            case .fact(let text): text
            }
        }
    }

    /// What it comes down to.
    public var cause: Cause
    /// The host, where one was dialled.
    public var host: String?
    /// What was seen.
    public var evidence: [Evidence]
    /// What to do about it, for the developer.
    public var remedy: String

    init(_ cause: Cause, host: String? = nil, evidence: [Evidence], remedy: String? = nil) {
        self.cause = cause
        self.host = host
        self.evidence = evidence
        self.remedy = remedy ?? cause.remedy
    }

    public var description: String {
        let seen = evidence.isEmpty ? "" : " (" + evidence.map(\.description).joined(separator: "; ") + ")"
        return "\(cause.rawValue)\(host.map { " at \($0)" } ?? "")\(seen). \(remedy)"
    }
}
