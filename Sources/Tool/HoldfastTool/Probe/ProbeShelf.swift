import HoldfastBase
import HoldfastLint
import HoldfastTrust

/// The certificates of a folder, as an app ships them.
struct ProbeShelf: Sendable {
    /// The maximum number of certificates in a folder.
    ///
    /// - Error: exit code 2
    static let countLimit = 1_000

    /// The folder as given.
    var path: String
    /// The pins from the certificates.
    var pins: PinnedKeysOnly
    /// The files that contain PEM. They pin nothing, because `ChatSSLCertificate(contentsOf:)` does not load them: with
    /// them, the check could pass for an app that refuses its own server.
    var pemFiles: [String]

    /// Reads a folder's `.cer`, `.crt`, `.der` and `.pem` files. Throws one sentence if the folder has none, if it has
    /// only PEM, or if a file is not a certificate, which an app would silently skip.
    init(path: String) throws(ToolError) {
        self.path = path
        let folder = CertificateFolder(path: path)
        var certificates: [CertificateView] = []
        pemFiles = []
        for name in try ToolError.explaining("", folder.names()) {
            let bytes = try ToolError.explaining("", folder.bytes(of: name))
            do throws(CertificateError) {
                let found = try CertificateLoading.certificates(in: bytes)
                if PEMReader.isPEM(bytes) { pemFiles.append(name) } else { certificates += found }
            } catch {
                throw ToolError("'\(Printable.text(path + "/" + name))': \(error.reason)")
            }
            guard certificates.count <= Self.countLimit else {
                throw ToolError("'\(Printable.text(path))' has more than \(Self.countLimit) certificates")
            }
        }
        guard !certificates.isEmpty || pemFiles.isEmpty else {
            throw ToolError(
                "'\(Printable.text(path))' contains only PEM, but ChatSSLCertificate(contentsOf:) loads DER: "
                    + "convert a certificate with openssl x509 -outform DER")
        }
        guard !certificates.isEmpty else {
            throw ToolError("there is no certificate (.cer, .crt, .der, .pem) in '\(Printable.text(path))'")
        }
        pins = PinnedKeysOnly(certificates: certificates)
    }
}
