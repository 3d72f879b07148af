import HoldfastTransport
public import HoldfastTrust

/// The reason why the chat does not connect, and the remedy.
///
/// The causes cover the table "SSL error diagnostics" of the documented network settings, and further ones that the SDK
/// can distinguish.
///
/// A diagnosis follows from observations. It cannot distinguish a server that changed its key from an attacker between
/// the app and the server: both present an untrusted key. The ``remedy`` says so.
public struct ChatConnectionDiagnosis: Hashable, Sendable, CustomStringConvertible {
    /// The cause: a stable value that is safe as a metric label.
    public enum Cause: String, Hashable, Sendable, CaseIterable {
        // The documented table, row by row.

        /// No key in the server's chain is trusted, and no earlier key of the server was.
        case keysDiffer
        /// The server's key is no longer trusted; an earlier key was, with the same trusted certificates.
        case keysRotated
        /// A certificate is not in the app's bundle, or its name and extension were split wrongly.
        case certificateMissing
        /// App Transport Security differs between two builds.
        case transportSecurityDiffers

        // Causes that the table does not list.

        /// A file is not a valid DER certificate: it is PEM, or damaged.
        case certificateUnreadable
        /// Not one of the trusted certificates can be read: every connection is refused.
        case noUsableCertificates
        /// The server was accepted before, but the app's list of trusted certificates has changed since.
        case trustedKeysChanged
        /// The server's certificate is for another host.
        case hostDiffers
        /// The server's certificate has expired, or is not yet valid.
        case certificateOutOfDate
        /// The system does not know the issuer of the server's certificate.
        case issuerUnknown
        /// The system refuses the server's certificate for another reason.
        case certificateRefused
        /// The TLS handshake failed before the server presented a certificate.
        case handshakeFailed
        /// The configured addresses cannot be used.
        case addressesUnusable
        /// The network is unavailable, or the server cannot be reached or does not answer in time.
        case unreachable
    }

    /// One observation that supports the diagnosis.
    public enum Evidence: Hashable, Sendable, CustomStringConvertible {
        /// A key that the server presented. The key of its own certificate comes first.
        case serverKey(SPKIDigest)
        /// A key that the app trusts.
        case trustedKey(SPKIDigest)
        /// A key that the server presented when it was last accepted.
        case acceptedKey(SPKIDigest)
        /// The finding of the trust evaluation.
        case finding(TrustFinding.Code)
        /// A fact in words.
        case fact(String)

        /// A textual description, for logs.
        public var description: String {
            switch self {
            case .serverKey(let digest): "the server presents \(digest)"
            case .trustedKey(let digest): "the app trusts \(digest)"
            case .acceptedKey(let digest): "last accepted: \(digest)"
            case .finding(let code): "finding: \(code)"
            case .fact(let text): text
            }
        }
    }

    /// The cause.
    public var cause: Cause
    /// The host, if a connection to one was attempted.
    public var host: String?
    /// The observations.
    public var evidence: [Evidence]
    /// The remedy, for the developer.
    public var remedy: String

    init(_ cause: Cause, host: String? = nil, evidence: [Evidence], remedy: String? = nil) {
        self.cause = cause
        self.host = host
        self.evidence = evidence
        self.remedy = remedy ?? cause.remedy
    }

    /// A textual description, for logs.
    public var description: String {
        let seen = evidence.isEmpty ? "" : " (" + evidence.map(\.description).joined(separator: "; ") + ")"
        return "\(cause.rawValue)\(host.map { " at \($0)" } ?? "")\(seen). \(remedy)"
    }
}

extension ChatConnectionDiagnosis.Cause {
    /// The remedy for this cause. The first four are the documented ones.
    var remedy: String {
        switch self {
        case .keysDiffer:
            "Set ChatLoggerConfig(logLevel: .all) and compare the log lines “SSL Server public key:” with "
                + "“SSL Pinned certificate public key:”: at least one pair must be equal. Each line shows the raw "
                + "key, then the SPKI hash that openssl prints. An attacker between the app and the server causes the "
                + "same finding."
        case .keysRotated:
            "The server's certificate was replaced and this app does not list the new one, or an attacker is between "
                + "the app and the server. Ask the server's operator. To rotate without an app update, list a "
                + "backup certificate beside the current one (docs/rotation.md)."
        case .certificateMissing:
            "Open the target's Build Phases: Copy Bundle Resources must list the file. Pass the file's name without "
                + "its extension, and the extension as the second argument."
        case .transportSecurityDiffers:
            "Compare NSAppTransportSecurity in the Info.plist of both builds (holdfast lint FIRST SECOND). A server "
                + "with a valid certificate does not need this setting."
        case .certificateUnreadable:
            "Convert PEM to DER: openssl x509 -in cert.pem -outform DER -out cert.cer"
        case .noUsableCertificates:
            "Every connection is refused until one trusted certificate can be read. To get an error for an unusable "
                + "file, use ChatSSLCertificate(loading:) and SSLPinningConfig(requiring:)."
        case .trustedKeysChanged:
            "The server has not changed, but the app's trusted certificates have. Add the certificate that the server "
                + "uses."
        case .hostDiffers:
            "Compare the host in ChatTransportConfig with the names in the server's certificate."
        case .certificateOutOfDate:
            "Check this device's clock. If it is correct, the server's operator must renew the certificate."
        case .issuerUnknown:
            "The server must send its intermediate certificates. Install a private authority on the device, or list it "
                + "in trustedCertificates."
        case .certificateRefused: "The finding names the rule that the server's certificate violates."
        case .handshakeFailed: "The server must offer TLS 1.2 or later with ECDHE and an AEAD cipher."
        case .addressesUnusable:
            "Use ChatTransportConfig(validating:webSocket:dataStore:) to get every problem with its reason."
        case .unreachable: "Check the network and the addresses. The chat retries automatically."
        }
    }
}

/// Derives a diagnosis from an error, the trusted keys and the keys that were accepted before.
struct Diagnostician: Sendable {
    let trusted: [SPKIDigest]
    let accepted: AcceptedKeys

    /// Returns the diagnosis of an error; `nil` if the error does not concern the connection, such as a refused call.
    func diagnosis(of error: any Error) -> ChatConnectionDiagnosis? {
        switch error {
        case let error as ChatTransportConfigError:
            return ChatConnectionDiagnosis(.addressesUnusable, evidence: error.problems.map { .fact("\($0)") })
        case let error as TransportError:
            return diagnosis(of: error)
        default:
            return nil
        }
    }

    private func diagnosis(of error: TransportError) -> ChatConnectionDiagnosis? {
        if let verdict = error.verdict, !verdict.permitsConnection {
            return ChatConnectionDiagnosis(verdict, trusted: trusted, accepted: accepted.keys(for: verdict))
        }
        switch error.code {
        case .tlsHandshakeFailed: return ChatConnectionDiagnosis(.handshakeFailed, evidence: [.fact("\(error)")])
        case .noConnectivity, .unresolvedHost, .connectionRefused, .timedOut:
            return ChatConnectionDiagnosis(.unreachable, evidence: [.fact("\(error)")])
        default: return nil
        }
    }
}
