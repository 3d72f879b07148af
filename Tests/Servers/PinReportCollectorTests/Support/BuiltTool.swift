import Foundation

/// The tool that SwiftPM builds with the tests.
enum BuiltTool {
    /// The path of the tool; `nil` if only the tests were built.
    static let path: String? = {
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path
        return FileManager.default.isExecutableFile(atPath: folder + "/holdfast") ? folder + "/holdfast" : nil
    }()
}
