// `Bundle` is not in FoundationEssentials.
public import Foundation
import HoldfastTrust

extension ChatSSLCertificate {
    /// Reads a DER or PEM file from a bundle. Throws ``ChatSSLCertificateError`` that names the resource.
    ///
    /// - Parameters:
    ///   - resource: The file's name *without* its extension, as `Bundle` wants it.
    ///   - fileExtension: The extension without its dot; `nil` for a file that has none.
    ///   - bundle: Where to look.
    public init(
        resource: String, withExtension fileExtension: String?, in bundle: Bundle = .main
    ) throws(ChatSSLCertificateError) {
        guard let url = bundle.url(forResource: resource, withExtension: fileExtension) else {
            throw ChatSSLCertificateError(
                missing: resource, withExtension: fileExtension, in: bundle.bundleURL.path)
        }
        do throws(CertificateError) {
            try self.init(loading: url)
        } catch {
            throw ChatSSLCertificateError(unreadable: error, resource: resource, withExtension: fileExtension)
        }
    }
}
