#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
