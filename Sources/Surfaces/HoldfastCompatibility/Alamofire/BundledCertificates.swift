public import Foundation
public import HoldfastTrust
import Logging

/// The certificates that lie in a bundle as files `.cer`, `.crt` or `.der`, in lower or upper case.
public struct BundledCertificates: Sendable {
    /// The certificates that could be read, in the order of the files' names. DER alone, as in Alamofire.
    public let certificates: [CertificateView]
    /// What is wrong with the other files, PEM among them: Alamofire passes these over in silence, which leaves a pin out
    /// that somebody counts on. They are logged as errors, too.
    public let errors: [CertificateError]

    /// The keys of the certificates.
    public var publicKeys: [PublicKeyInfo] { certificates.map { PublicKeyInfo($0) } }

    private static let extensions = ["cer", "CER", "crt", "CRT", "der", "DER"]

    /// Reads the files of a bundle. Blocks the calling thread while it reads.
    init(_ bundle: Bundle, logger: Logger = Logger(label: "holdfast.certificates")) {
        let paths = Set(
            BundledCertificates.extensions.flatMap { bundle.paths(forResourcesOfType: $0, inDirectory: nil) })
        var certificates: [CertificateView] = []
        var errors: [CertificateError] = []
        for path in paths.sorted() {
            do throws(CertificateError) {
                certificates.append(try CertificateLoading.certificate(inDERFileAtPath: path))
            } catch {
                logger.error("A bundled certificate cannot be used: \(error.reason)")
                errors.append(error)
            }
        }
        self.certificates = certificates
        self.errors = errors
    }
}

extension Bundle {
    /// The bundle's certificates, under Alamofire's name. Read anew at each call.
    public var af: BundledCertificates { BundledCertificates(self) }
}
