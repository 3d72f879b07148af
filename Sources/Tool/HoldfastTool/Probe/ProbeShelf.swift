import HoldfastTrust

/// The certificates of a folder, as an app ships them.
struct ProbeShelf: Sendable {
    /// The most certificates of a folder.
    static let countLimit = 1_000

    /// The folder as it was given.
    var path: String
    /// What they pin.
    var pins: PinnedKeysOnly
    /// The files that hold PEM. They pin nothing, since `ChatSSLCertificate(contentsOf:)` does not load them: a check by them
    /// would pass for an app that then refuses its own server.
    var pemFiles: [String]

    /// Reads a folder's `.cer`, `.crt`, `.der` and `.pem` files. Throws one sentence for a folder without any, for one with
    /// nothing but PEM, and for a file that is no certificate: an app would go on without it, and nobody would know.
    init(path: String) throws(ToolError) {
        self.path = path
        let folder = CertificateFolder(path: path)
        var certificates: [CertificateView] = []
        pemFiles = []
        for name in try folder.names() {
            let bytes = try folder.bytes(of: name)
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
                "'\(Printable.text(path))' holds PEM alone, and ChatSSLCertificate(contentsOf:) loads DER: "
                    + "openssl x509 -outform DER converts a certificate")
        }
        guard !certificates.isEmpty else {
            throw ToolError("there is no certificate (.cer, .crt, .der, .pem) in '\(Printable.text(path))'")
        }
        pins = PinnedKeysOnly(certificates: certificates)
    }
}
