import HoldfastTestSupport
import Foundation
import HoldfastTrust

/// The files below `Fuzz/Corpus`, from which the fuzz targets start, too.
struct Corpus {
    /// One file.
    struct File: CustomStringConvertible {
        var format: PolicyFormat
        var name: String
        var bytes: [UInt8]

        /// A file says in its name whether a policy can be made of it.
        var isValid: Bool { name.hasPrefix("valid-") }
        var description: String { "\(format.rawValue)/\(name)" }
    }

    /// The files of a format, by name.
    static func files(of format: PolicyFormat) throws -> [File] {
        let folder = Repository.root.appendingPathComponent("Fuzz/Corpus/\(format.rawValue)")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
            File(
                format: format, name: name,
                bytes: Array(try Data(contentsOf: folder.appendingPathComponent(name))))
        }
    }
}
