#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// This package's folder on the machine that built it. Tests read its documents and samples.
package enum Repository {
    /// The folder with the package's manifest.
    package static let root: URL = {
        var folder = URL(filePath: #filePath)
        while folder.path != "/", !FileManager.default.fileExists(atPath: folder.path + "/Package.swift") {
            folder.deleteLastPathComponent()
        }
        return folder
    }()

    /// Returns the path of a file or folder in the package.
    package static func path(_ name: String) -> String { root.path + "/" + name }
}
