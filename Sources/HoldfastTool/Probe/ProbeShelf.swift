import Foundation
import HoldfastTrust

/// The certificates of a folder, as an app ships them.
struct ProbeShelf: Sendable {
    /// The most certificates of a folder.
    static let countLimit = 1_000

    /// The folder as it was given.
    var path: String
    /// What they pin.
    var pins: PinnedKeysOnly
    /// The files that hold PEM, which `ChatSSLCertificate(contentsOf:)` does not load.
    var pemFiles: [String]

    /// Reads a folder's `.cer`, `.crt`, `.der` and `.pem` files. Throws one sentence for a folder without any, and for a file
    /// that is no certificate: an app would go on without it, and nobody would know.
    init(path: String) throws(ToolError) {
        self.path = path
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        } catch {
            throw ToolError("cannot list the folder '\(Printable.text(path))'")
        }
        var certificates: [CertificateView] = []
        pemFiles = []
        for name in names where ["cer", "crt", "der", "pem"].contains(name.split(separator: ".").last?.lowercased()) {
            let file = path + "/" + name
            let bytes = try InputFile(path: file).readAll(limit: CertificateLoading.sizeLimit)
            if PEMReader.isPEM(bytes) { pemFiles.append(name) }
            do throws(CertificateError) {
                certificates += try CertificateLoading.certificates(in: bytes)
            } catch {
                throw ToolError("'\(Printable.text(file))': \(error.reason)")
            }
            guard certificates.count <= Self.countLimit else {
                throw ToolError("'\(Printable.text(path))' has more than \(Self.countLimit) certificates")
            }
        }
        guard !certificates.isEmpty else {
            throw ToolError("there is no certificate (.cer, .crt, .der, .pem) in '\(Printable.text(path))'")
        }
        pins = PinnedKeysOnly(certificates: certificates)
    }
}
