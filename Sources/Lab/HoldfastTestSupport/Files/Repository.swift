#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// This package's own folder on the machine that built it, whose documents and samples the tests read.
package enum Repository {
    /// The folder with the package's manifest.
    package static let root: URL = {
        var folder = URL(filePath: #filePath)
        while folder.path != "/", !FileManager.default.fileExists(atPath: folder.path + "/Package.swift") {
            folder.deleteLastPathComponent()
        }
        return folder
    }()

    /// The path of a file or folder in it.
    package static func path(_ name: String) -> String { root.path + "/" + name }
}
