import HoldfastBase
import Foundation
import HoldfastTrust

/// A folder of certificates, as an app ships them.
struct CertificateFolder {
    /// The file name extensions of certificates. Other files are ignored.
    static let endings: Set<String> = ["cer", "crt", "der", "pem"]

    /// The folder's path as given.
    var path: String

    /// Returns the sorted names of its files. Throws one sentence if the folder cannot be listed.
    func names() throws(ToolError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path).sorted().filter { name in
                Self.endings.contains(name.split(separator: ".").last?.lowercased() ?? "")
            }
        } catch {
            throw ToolError("cannot list the folder '\(Printable.text(path))'")
        }
    }

    /// Returns the bytes of one of its files. Throws one sentence.
    func bytes(of name: String) throws(ToolError) -> [UInt8] {
        try InputFile(path: path + "/" + name).readAll(limit: CertificateLoading.sizeLimit)
    }
}
