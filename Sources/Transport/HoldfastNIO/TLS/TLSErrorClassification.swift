import NIOCore
import NIOSSL

/// What an error of the TLS library means for a handshake.
enum TLSErrorClassification: Hashable, Sendable {
    /// The handshake failed for this reason.
    case failure(HandshakeFailure)
    /// The TLS library rejected the server's certificate before Holdfast could evaluate it.
    case certificate(String)
}

extension TLSErrorClassification {
    /// Classifies a channel error with the help of the server's first bytes.
    init(_ error: any Error, firstBytes: ServerHelloReader.Finding?) {
        if let failure = error as? HandshakeFailure {
            self = .failure(failure)
            return
        }
        switch firstBytes {
        case .notTLS(let bytes):
            self = .failure(HandshakeFailure(.notTLS, "The server's answer is not TLS\(Self.quoted(bytes))."))
            return
        case .alert(let alert):
            self = .failure(Self.alert(alert))
            return
        case .hello, .unknown, nil:
            break
        }
        let progress = firstBytes == nil ? "before it sent anything" : "during the handshake"
        switch error {
        case NIOSSLError.handshakeFailed(.sslError(let stack)) where stack.isEndOfFile:
            self = .failure(HandshakeFailure(.closed, "The server closed the connection \(progress)."))
        case NIOSSLError.handshakeFailed(.sslError(let stack)):
            self = Self.read(stack)
        case NIOSSLError.handshakeFailed(let other):
            self = .failure(HandshakeFailure(.closed, "The connection ended during the handshake: \(other)."))
        case NIOSSLError.uncleanShutdown:
            self = .failure(HandshakeFailure(.closed, "The server closed the connection \(progress)."))
        case let error as IOError:
            self = .failure(HandshakeFailure(.reset, "The connection failed during the handshake: \(error)."))
        default:
            self = .failure(HandshakeFailure(.invalidMessage, "The handshake failed: \(error)."))
        }
    }

    /// Describes an alert of RFC 8446, 6.2 or RFC 5246, 7.2.2.
    private static func alert(_ number: UInt8) -> HandshakeFailure {
        switch number {
        case 70:
            HandshakeFailure(
                .protocolVersion, "The server does not support TLS 1.2 or later (alert 70).", alert: number)
        case 40:
            HandshakeFailure(
                .noSharedCipherSuite,
                "The server supports no allowed cipher suite (ECDHE with AEAD) (alert 40).", alert: number)
        case 71:
            HandshakeFailure(
                .noSharedCipherSuite, "The server requires stronger cipher suites than the client offers (alert 71).",
                alert: number)
        default:
            HandshakeFailure(.alert, "The server ended the handshake with alert \(number).", alert: number)
        }
    }

    private static func read(_ stack: NIOBoringSSLErrorStack) -> TLSErrorClassification {
        // BoringSSL errors expose only their text: "Error: n error:n:library:function:REASON at file:line".
        let errors = stack.map(LibraryError.init)
        for error in errors {
            switch error.reason {
            case "UNSUPPORTED_PROTOCOL", "TLSV1_ALERT_PROTOCOL_VERSION":
                return .failure(
                    HandshakeFailure(.protocolVersion, "The server chose a TLS version that is not allowed."))
            case "WRONG_CIPHER_RETURNED", "UNKNOWN_CIPHER_RETURNED", "NO_SHARED_CIPHER",
                "SSLV3_ALERT_HANDSHAKE_FAILURE", "TLSV1_ALERT_INSUFFICIENT_SECURITY":
                return .failure(
                    HandshakeFailure(.noSharedCipherSuite, "The server chose a cipher suite that is not allowed."))
            case "WRONG_VERSION_NUMBER", "HTTP_REQUEST", "HTTPS_PROXY_REQUEST":
                return .failure(HandshakeFailure(.notTLS, "The server's answer is not TLS."))
            default:
                break
            }
        }
        if let error = errors.first(where: \.concernsCertificate) {
            return .certificate(error.reason)
        }
        if let alert = errors.first(where: { $0.reason.contains("_ALERT_") }) {
            return .failure(HandshakeFailure(.alert, "The server ended the handshake with an alert: \(alert.reason)."))
        }
        let reasons = errors.map(\.reason).joined(separator: ", ")
        return .failure(HandshakeFailure(.invalidMessage, "A handshake message is invalid: \(reasons)."))
    }

    private static func quoted(_ bytes: [UInt8]) -> String {
        let isText = bytes.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x0D || $0 == 0x0A }
        guard isText else { return "" }
        let line = String(decoding: bytes.prefix { $0 != 0x0D && $0 != 0x0A }, as: UTF8.self)
        return ": it begins with \"\(line)\""
    }
}

extension NIOBoringSSLErrorStack {
    /// Whether NIOSSL reports that the connection ended.
    fileprivate var isEndOfFile: Bool {
        contains(.eofDuringHandshake) || contains(.eofDuringAdditionalCertficiateChainValidation)
    }
}

/// One error of BoringSSL's queue, parsed from its text.
private struct LibraryError {
    var library = ""
    var reason: String

    init(_ error: BoringSSLInternalError) {
        let text = error.description
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        // Text parts: "Error", " 268435… error", "1000007c", "SSL routines", "OPENSSL_internal", "REASON at /path",
        // "line".
        guard parts.count >= 6 else {
            reason = text
            return
        }
        library = String(parts[3])
        reason = String(parts[5].prefix { $0 != " " })
    }

    /// Whether the library rejected the peer's certificate.
    var concernsCertificate: Bool {
        if library.hasPrefix("X.509") || library.hasPrefix("ASN.1") || library.hasPrefix("public key") { return true }
        return switch reason {
        case "CANNOT_PARSE_LEAF_CERT", "KEY_USAGE_BIT_INCORRECT", "BAD_ECC_CERT", "ECC_CERT_NOT_FOR_SIGNING",
            "CERT_LENGTH_MISMATCH", "CERTIFICATE_VERIFY_FAILED", "UNKNOWN_CERTIFICATE_TYPE", "WRONG_CERTIFICATE_TYPE",
            "PEER_DID_NOT_RETURN_A_CERTIFICATE", "NO_CERTIFICATES_RETURNED":
            true
        default: false
        }
    }
}
