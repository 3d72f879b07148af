import ArgumentParser
import Testing

@testable import HoldfastTool

/// A command of the tool.
struct CommandHelp: Sendable, CustomTestStringConvertible {
    let type: any ParsableCommand.Type
    /// The names up to the command, from the tool's name on.
    let path: [String]

    var testDescription: String { path.joined(separator: " ") }

    /// Every command, the tool itself first.
    static let all = list(Holdfast.self, below: [])

    private static func list(_ type: any ParsableCommand.Type, below path: [String]) -> [CommandHelp] {
        let path = path + [type.configuration.commandName ?? ""]
        return [CommandHelp(type: type, path: path)]
            + type.configuration.subcommands.flatMap { list($0, below: path) }
    }
}
