#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension CertificateView {
    /// The certificate as a PEM block, lines of 64 columns.
    public var pem: String { CertificateView.pem(der) }

    /// Any bytes as the PEM block of a certificate.
    static func pem(_ der: [UInt8]) -> String {
        let base64 = Array(Data(der).base64EncodedString().utf8)
        let lines = stride(from: 0, to: base64.count, by: 64).map {
            String(decoding: base64[$0..<min($0 + 64, base64.count)], as: UTF8.self)
        }
        return (["-----BEGIN CERTIFICATE-----"] + lines + ["-----END CERTIFICATE-----"]).joined(separator: "\n") + "\n"
    }
}
