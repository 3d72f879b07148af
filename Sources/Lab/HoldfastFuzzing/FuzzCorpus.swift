#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The committed samples of a target: the files of the folder with its name.
public enum FuzzCorpus {
    /// The samples in the order of their names. Throws what the file system throws.
    public static func samples(of target: FuzzTarget, in folder: String) throws -> [(name: String, bytes: [UInt8])] {
        let directory = folder + "/" + target.rawValue
        return try FileManager.default.contentsOfDirectory(atPath: directory).sorted().map { name in
            (name, Array(try Data(contentsOf: URL(fileURLWithPath: directory + "/" + name))))
        }
    }
}
