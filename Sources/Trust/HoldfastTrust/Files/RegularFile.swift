#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads whole files whose size is known before: no devices, no pipes, no directories.
package enum RegularFile {
    /// The bytes of a file, symbolic links followed. Reasons begin with the path. Blocks the calling thread.
    package static func read(_ path: String, limit: Int) throws(CertificateError) -> [UInt8] {
        guard let identity = FileIdentity(path: path) else {
            throw CertificateError(.unreadableFile, "There is no such file.").inFile(path)
        }
        guard identity.isRegularFile else {
            throw CertificateError(.unreadableFile, "This is no regular file.").inFile(path)
        }
        let tooLarge = CertificateError(.tooLarge, "The file has more than \(limit) bytes.").inFile(path)
        guard identity.size <= UInt64(limit) else { throw tooLarge }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CertificateError(.unreadableFile, "The file cannot be read.").inFile(path)
        }
        // It may have grown since.
        guard data.count <= limit else { throw tooLarge }
        guard !data.isEmpty else { throw CertificateError(.empty, "The file is empty.").inFile(path) }
        return Array(data)
    }
}
