import NIOCore
import NIOSSL

/// What every TLS connection of Holdfast insists on, from the first one on.
///
/// TLS 1.2 or later (RFC 9325, 3.1.1); for TLS 1.2 only suites with ephemeral elliptic-curve key exchange and authenticated encryption (RFC 9325,
/// 4.2), so no static RSA, no CBC; the suites of TLS 1.3 are of that kind anyway. NIOSSL's client resumes no session, so
/// no handshake skips verification, and there is no 0-RTT. Renegotiation is off.
enum TLSFloor {
    static let cipherSuites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
        .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    /// No SHA-1, which BoringSSL would still take in TLS 1.2 (RFC 9155 forbids it).
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
        // With `.none` NIOSSL would ignore a refusal; with `.fullVerification` it would check names once more, common
        // name and socket address included. Holdfast's verifier alone decides, so NIOSSL gets no roots at all.
        configuration.certificateVerification = .noHostnameVerification
        configuration.trustRoots = .certificates([])
        configuration.additionalTrustRoots = []
        // A farewell that the peer does not answer must not hold a connection for long.
        configuration.shutdownTimeout = .seconds(1)
        return configuration
    }
}
