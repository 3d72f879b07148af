import Foundation
import PackagePlugin

/// `swift package holdfast-lint`: checks the policies, property lists and certificate folders of a package.
///
/// `--target` limits the check to the folder of a target, and may be repeated. All other arguments go to the tool.
@main
struct LintCommandPlugin: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        var extractor = ArgumentExtractor(arguments)
        let targets = try context.package.targets(named: extractor.extractOption(named: "target"))
        let folders = targets.flatMap { ["--folder", $0.directoryURL.path] }

        let process = Process()
        process.executableURL = try context.tool(named: "holdfast-lint").url
        process.arguments = ["--package", context.package.directoryURL.path] + folders + extractor.remainingArguments
        try process.run()
        process.waitUntilExit()

        let name = context.package.displayName
        switch (process.terminationReason, process.terminationStatus) {
        case (.exit, 0): break
        case (.exit, 1): Diagnostics.error("the check of '\(name)' failed; see its findings")
        case (.exit, let code):
            Diagnostics.error("'\(name)' cannot be checked: holdfast-lint ended with code \(code)")
        default: Diagnostics.error("holdfast-lint was ended by a signal")
        }
    }
}
