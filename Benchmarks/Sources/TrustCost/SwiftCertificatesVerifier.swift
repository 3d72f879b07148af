import Foundation
import HoldfastTrust
@_spi(FixedExpiryValidationTime) import X509

/// The verifier of swift-certificates with its policies for TLS servers. It does not compare pins.
struct SwiftCertificatesVerifier {
    private let roots: CertificateStore
    private let host: String
    private let time: Date

    init(root: [UInt8], host: String, time: Timestamp) throws {
        self.roots = CertificateStore([try Certificate(derEncoded: root)])
        self.host = host
        self.time = Date(timeIntervalSince1970: TimeInterval(time.secondsSince1970))
    }

    /// Parses and verifies a chain.
    func accepts(_ chain: [[UInt8]]) async throws -> Bool {
        let certificates = try chain.map { try Certificate(derEncoded: $0) }
        guard let leaf = certificates.first else { return false }
        var verifier = Verifier(rootCertificates: roots) {
            RFC5280Policy(fixedExpiryValidationTime: time)
            ServerIdentityPolicy(serverHostname: host, serverIP: nil)
        }
        let result = await verifier.validate(
            leaf: leaf, intermediates: CertificateStore(certificates.dropFirst()))
        if case .validCertificate = result { return true }
        return false
    }
}
