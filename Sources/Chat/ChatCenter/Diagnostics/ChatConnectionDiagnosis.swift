import HoldfastTransport
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

extension ChatConnectionDiagnosis.Cause {
    /// What to do about it. The first four are the documented ones.
    var remedy: String {
        switch self {
        case .keysDiffer:
            "Switch on ChatLoggerConfig(logLevel: .all) and compare the lines “SSL Server public key:” with “SSL Pinned "
                + "certificate public key:”: at least one pair must be equal. The first form in a line is the raw key, the "
                + "SPKI hash beside it is what openssl prints. Somebody between the app and the server looks the same."
        case .keysRotated:
            "The server's certificate was exchanged, and this app does not hold the new one; or somebody stands between "
                + "the app and the server. Ask the server's operator. A backup certificate that was listed in time takes "
                + "over without an update: list the next certificate beside the current one (docs/rotation.md)."
        case .certificateMissing:
            "Look into target, Build Phases, Copy Bundle Resources: the file has to be in the list. The file's name is given "
                + "without its extension, and the extension as the second argument."
        case .transportSecurityDiffers:
            "Compare NSAppTransportSecurity in the Info.plist of both builds (holdfast lint FIRST SECOND). A server with a "
                + "valid certificate needs no such setting at all."
        case .certificateUnreadable:
            "Convert PEM with: openssl x509 -in cert.pem -outform DER -out cert.cer"
        case .noUsableCertificates:
            "Every connection is refused until one trusted certificate can be read. "
                + "ChatSSLCertificate(loading:) and SSLPinningConfig(requiring:) throw where a file is unusable."
        case .trustedKeysChanged:
            "The server is the one of before; the app's trusted certificates are not. Add the certificate that is in use."
        case .hostDiffers:
            "Check the host in ChatTransportConfig, and the names in the server's certificate."
        case .certificateOutOfDate:
            "Check this device's clock; the server's operator has to renew the certificate."
        case .issuerUnknown:
            "The server has to send its intermediate certificates; a private authority has to be installed on the device "
                + "or listed in trustedCertificates."
        case .certificateRefused: "The finding says which rule the server's certificate breaks."
        case .handshakeFailed: "The server has to offer TLS 1.2 or later with ECDHE and an AEAD cipher."
        case .addressesUnusable:
            "ChatTransportConfig(validating:webSocket:dataStore:) throws every problem with its reason."
        case .unreachable: "Check the network and the addresses. The chat tries again by itself."
        }
    }
}

/// Draws a diagnosis from an error, with what is known beside it.
struct Diagnostician: Sendable {
    let trusted: [SPKIDigest]
    let accepted: AcceptedKeys

    /// What the error comes down to; `nil` where it says nothing about the way to the server: a refused call, a file.
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
