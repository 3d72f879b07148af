import Foundation
import HoldfastBase
import HoldfastSystem
import HoldfastTrust

/// A folder of certificates, as an app ships them.
package struct CertificateFolder {
    /// The file name extensions of certificates. Other files are ignored.
    package static let endings: Set<String> = ["cer", "crt", "der", "pem"]

    /// The folder's path as given.
    package let path: String

    /// Creates a folder; nothing is read.
    package init(path: String) {
        self.path = path
    }

    /// Returns the sorted names of its files. Throws one sentence if the folder cannot be listed.
    package func names() throws(LintFailure) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path).sorted().filter { name in
                Self.endings.contains(name.split(separator: ".").last?.lowercased() ?? "")
            }
        } catch {
            throw LintFailure("cannot list the folder '\(Printable.text(path))'")
        }
    }

    /// Returns the bytes of one of its files. Throws one sentence.
    package func bytes(of name: String) throws(LintFailure) -> [UInt8] {
        try LintInput.read(path + "/" + name, limit: CertificateLoading.sizeLimit)
    }
}

/// Reads the files that lint checks.
package enum LintInput {
    /// Returns the bytes of a regular file; none if it is empty. Throws one sentence if the file cannot be read or has
    /// more than `limit` bytes. Blocks the calling thread.
    package static func read(_ path: String, limit: Int) throws(LintFailure) -> [UInt8] {
        do throws(RegularFile.Failure) {
            return try RegularFile.read(path, limit: limit)
        } catch {
            if error.kind == .empty { return [] }
            let reason = error.reason.prefix(1).lowercased() + error.reason.dropFirst().dropLast()
            throw LintFailure("cannot read '\(Printable.text(path))': \(reason)")
        }
    }
}
