import NIOCore
import NIOSSL

/// The minimum TLS requirements of every Holdfast connection.
///
/// - TLS 1.2 or later (RFC 9325, 3.1.1).
/// - For TLS 1.2, only cipher suites with ephemeral elliptic-curve key exchange and authenticated encryption (RFC 9325,
///   4.2). This excludes static RSA and CBC. All TLS 1.3 suites meet the requirement.
/// - No session resumption, because NIOSSL's client does not support it. Every handshake is verified, and 0-RTT is
///   never used.
/// - No renegotiation.
enum TLSFloor {
    static let cipherSuites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
        .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    /// The accepted signature algorithms. SHA-1 is excluded: RFC 9155 forbids it, but BoringSSL still accepts it in TLS
    /// 1.2.
    static let signatureAlgorithms: [SignatureAlgorithm] = [
        .ecdsaSecp256R1Sha256, .rsaPssRsaeSha256, .rsaPkcs1Sha256,
        .ecdsaSecp384R1Sha384, .rsaPssRsaeSha384, .rsaPkcs1Sha384,
        .ed25519, .ecdsaSecp521R1Sha512, .rsaPssRsaeSha512, .rsaPkcs1Sha512,
    ]

    static func configuration(applicationProtocols: [String]) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuiteValues = cipherSuites
        configuration.verifySignatureAlgorithms = signatureAlgorithms
        configuration.renegotiationSupport = .none
        configuration.applicationProtocols = applicationProtocols
        // With `.none`, NIOSSL would ignore a refusal. With `.fullVerification`, it would also check names, including
        // the common name and the socket address. Holdfast's verifier alone decides, so NIOSSL gets no roots.
        configuration.certificateVerification = .noHostnameVerification
        configuration.trustRoots = .certificates([])
        configuration.additionalTrustRoots = []
        // Bounds the wait for the peer's close_notify.
        configuration.shutdownTimeout = .seconds(1)
        return configuration
    }
}
