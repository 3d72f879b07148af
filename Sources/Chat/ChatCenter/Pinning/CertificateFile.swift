#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HoldfastTrust

/// The files behind ``ChatSSLCertificate``.
enum CertificateFile {
    static func name(of url: URL) -> String {
        url.isFileURL ? url.path : url.absoluteString
    }

    /// The path of a local file; anything else is no certificate file.
    static func path(of url: URL) throws(CertificateError) -> String {
        guard url.isFileURL else {
            throw CertificateError(.unreadableFile, "\(url.absoluteString) is not a local file.")
        }
        return url.path
    }

    /// The command that prints the hash that the SDK's log shows for a DER file.
    static func hashCommand(for path: String) -> String {
        "openssl x509 -in '\(path)' -inform DER -noout -pubkey | openssl pkey -pubin -outform DER | "
            + "openssl dgst -sha256 -binary | base64"
    }
}
