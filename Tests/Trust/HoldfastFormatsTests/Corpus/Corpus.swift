import HoldfastTestSupport
import Foundation
import HoldfastTrust

/// The files below `Fuzz/Corpus`, which are also the start of the fuzz targets.
struct Corpus {
    /// A file of the corpus.
    struct File: CustomStringConvertible {
        var format: PolicyFormat
        var name: String
        var bytes: [UInt8]

        /// Whether the file contains a valid policy. The file's name says so.
        var isValid: Bool { name.hasPrefix("valid-") }
        var description: String { "\(format.rawValue)/\(name)" }
    }

    /// Returns the files of a format, sorted by name.
    static func files(of format: PolicyFormat) throws -> [File] {
        let folder = Repository.root.appendingPathComponent("Fuzz/Corpus/\(format.rawValue)")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
            File(
                format: format, name: name,
                bytes: Array(try Data(contentsOf: folder.appendingPathComponent(name))))
        }
    }
}
