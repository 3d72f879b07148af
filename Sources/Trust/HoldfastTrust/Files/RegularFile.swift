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

/// What tells one state of a file from another without reading it.
struct FileIdentity: Hashable, Sendable {
    var isRegularFile: Bool
    var isDirectory: Bool
    var size: UInt64
    var modified: Date?
    /// The inode and the device: a file that was replaced by renaming has another one.
    var number: UInt64
    var device: UInt64

    /// Looks at a file, symbolic links followed; `nil` if there is none.
    init?(path: String) {
        // The attributes are those of a link itself, so the link has to be resolved before.
        let resolved = URL(filePath: path).resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: resolved) else { return nil }
        isRegularFile = attributes[.type] as? FileAttributeType == .typeRegular
        isDirectory = attributes[.type] as? FileAttributeType == .typeDirectory
        size = Self.number(attributes[.size])
        modified = attributes[.modificationDate] as? Date
        number = Self.number(attributes[.systemFileNumber])
        device = Self.number(attributes[.systemNumber])
    }

    /// The two Foundations hand numbers out in different types.
    private static func number(_ value: Any?) -> UInt64 {
        switch value {
        case let value as UInt64: value
        case let value as Int: UInt64(clamping: value)
        case let value as Int64: UInt64(clamping: value)
        case let value as UInt: UInt64(value)
        default: 0
        }
    }
}
