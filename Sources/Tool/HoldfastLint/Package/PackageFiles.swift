import Foundation
import HoldfastBase
import HoldfastSystem
package import HoldfastTrust

/// The files and folders of a package, as paths relative to its folder.
///
/// Leaves out hidden files and folders, such as `.build`, symbolic links, and folders with a `Package.swift` of their
/// own, which are other packages.
package struct PackageFiles: Sendable {
    /// The maximum number of files and folders.
    ///
    /// - Error: exit code 2
    package static let entryLimit = 200_000

    /// The sorted paths of the regular files.
    package private(set) var files: [String] = []
    /// The sorted paths of the folders, without the package's folder itself.
    package private(set) var folders: [String] = []

    /// Lists a package. Throws one sentence if a folder cannot be listed, or if there are too many files. Blocks the
    /// calling thread.
    package init(folder root: String, limit: Int = entryLimit) throws(LintFailure) {
        var pending = [""]
        var entries = 0
        while let folder = pending.popLast() {
            let path = folder.isEmpty ? root : root + "/" + folder
            let names: [String]
            do {
                names = try FileManager.default.contentsOfDirectory(atPath: path)
            } catch {
                throw LintFailure("cannot list the folder '\(Printable.text(path))'")
            }
            if !folder.isEmpty, names.contains("Package.swift") { continue }
            if !folder.isEmpty { folders.append(folder) }
            entries += names.count
            guard entries <= limit else {
                throw LintFailure("'\(Printable.text(root))' has more than \(limit) files and folders")
            }
            for name in names where !name.hasPrefix(".") {
                let item = folder.isEmpty ? name : folder + "/" + name
                var status = stat()
                guard lstat(root + "/" + item, &status) == 0 else { continue }
                switch status.st_mode & S_IFMT {
                case S_IFREG: files.append(item)
                case S_IFDIR: pending.append(item)
                default: break
                }
            }
        }
        files.sort()
        folders.sort()
    }
}

/// Decides by name and contents which files of a package contain pins.
package enum PinFile {
    /// Returns the format of a file whose name is sufficient; `nil` if its contents decide.
    package static func format(of path: String) -> PolicyFormat? {
        let name = path.split(separator: "/").last ?? ""
        if name.hasSuffix(".holdfast.json") { return .holdfast }
        return name == "network_security_config.xml" ? .android : nil
    }

    /// Returns whether the contents decide for a file with this name.
    package static func mayContain(_ path: String) -> Bool { markers(path) != nil }

    /// Returns whether a file with this name contains pins, or a policy.
    ///
    /// The decision does not need valid syntax, so that a damaged policy is not skipped.
    package static func contains(_ path: String, _ bytes: [UInt8]) -> Bool {
        guard let markers = markers(path) else { return false }
        return markers.contains { marker in
            occurrences(of: Array(marker.utf8), in: bytes).contains { end in
                marker != policyKey || isVersion(bytes[end...])
            }
        }
    }

    /// The key of the version in a policy in Holdfast's own format.
    private static let policyKey = "\"holdfast\""

    private static func markers(_ path: String) -> [String]? {
        switch path.split(separator: ".").last?.lowercased() {
        case "json": [policyKey]
        case "plist": ["NSPinnedDomains", "TSKPinnedDomains", "TSKConfiguration"]
        case "xml": ["<network-security-config"]
        default: nil
        }
    }

    /// Returns whether the bytes after a key are a colon and a number. Other files may use the same key for an object.
    private static func isVersion(_ bytes: ArraySlice<UInt8>) -> Bool {
        let rest = bytes.drop { $0 <= 0x20 }
        guard rest.first == UInt8(ascii: ":") else { return false }
        let value = rest.dropFirst().drop { $0 <= 0x20 }
        return value.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
    }

    /// Returns the positions behind each occurrence of a text.
    private static func occurrences(of text: [UInt8], in bytes: [UInt8]) -> [Int] {
        guard let first = text.first else { return [] }
        return bytes.indices.compactMap { index in
            bytes[index] == first && bytes[index...].starts(with: text) ? index + text.count : nil
        }
    }
}
