import Foundation
import PackagePlugin

/// Checks the policies, property lists and certificate folders of a package before a target is compiled.
///
/// The check runs when one of its files has changed since it last passed, and in every build from scratch. It does not
/// run again only because time has passed; docs/ci.md describes the command for that.
@main
struct LintPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        guard target is SwiftSourceModuleTarget else {
            Diagnostics.error("HoldfastLintPlugin needs a target with Swift code, unlike '\(target.name)'")
            return []
        }
        let package = context.package.directoryURL
        // A Swift file with only a comment. SwiftPM would add any other output to the resources of the target.
        let stamp = context.pluginWorkDirectoryURL.appendingPathComponent("HoldfastLintPassed.swift")
        return [
            .buildCommand(
                displayName: "Checking the pins of \(context.package.displayName)",
                executable: try context.tool(named: "holdfast-lint").url,
                arguments: ["--package", package.path, "--stamp", stamp.path],
                inputFiles: try Self.inputs(of: package),
                outputFiles: [stamp])
        ]
    }

    /// The file name extensions of files whose change repeats the check. The tool decides which of them it reads.
    private static let endings: Set<String> = [
        "json", "plist", "xml", "cer", "crt", "der", "pem", "txt", "conf", "kt", "kts", "java",
    ]

    /// Returns the files of a package that may be checked, without hidden ones, links, and other packages inside of it.
    private static func inputs(of package: URL) throws -> [URL] {
        let keys: Set<URLResourceKey> = [.isRegularFileKey, .isDirectoryKey, .isSymbolicLinkKey]
        var found: [URL] = []
        var pending = [package]
        while let folder = pending.popLast() {
            let items = try FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: Array(keys), options: [.skipsHiddenFiles])
            if folder != package, items.contains(where: { $0.lastPathComponent == "Package.swift" }) { continue }
            for item in items {
                let values = try item.resourceValues(forKeys: keys)
                if values.isSymbolicLink == true { continue }
                if values.isDirectory == true {
                    pending.append(item)
                } else if values.isRegularFile == true, endings.contains(item.pathExtension.lowercased()) {
                    found.append(item)
                }
            }
        }
        return found.sorted { $0.path < $1.path }
    }
}
