import ArgumentParser
import Foundation

/// A command with its options and subcommands, as the argument parser describes it (`--experimental-dump-help`).
struct CommandDescription: Decodable {
    var commandName: String
    /// The commands before it, from the tool's name on.
    var superCommands: [String]?
    var abstract: String?
    var discussion: String?
    var shouldDisplay: Bool?
    var subcommands: [CommandDescription]?
    var arguments: [Argument]?

    /// A positional argument, an option with a value, or a flag.
    struct Argument: Decodable {
        /// A name such as `--format` or `-h`.
        struct Name: Decodable {
            var kind: String
            var name: String

            /// The name with its dashes.
            var text: String { kind == "long" ? "--" + name : "-" + name }
        }

        var kind: String
        var shouldDisplay: Bool
        var isOptional: Bool
        var isRepeating: Bool
        var names: [Name]?
        var valueName: String?
        var defaultValue: String?
        var allValues: [String]?
        var abstract: String?
        var discussion: String?

        /// Whether this is the help flag, which each command has.
        var isHelp: Bool { names?.contains { $0.text == "--help" } == true }

        /// The value's name in a usage line; `nil` for a flag.
        var value: String? { kind == "flag" ? nil : valueName ?? "value" }
    }

    private struct Tool: Decodable {
        var serializationVersion: Int
        var command: CommandDescription
    }

    /// Returns the description of the whole tool. Throws if the argument parser changed its format.
    static func tool() throws -> CommandDescription {
        do {
            _ = try Holdfast.parseAsRoot(["--experimental-dump-help"])
        } catch {
            let text = Holdfast.fullMessage(for: error)
            guard let tool = try? JSONDecoder().decode(Tool.self, from: Data(text.utf8)), tool.serializationVersion == 0
            else { throw ToolError("the argument parser describes the commands in an unknown format") }
            return tool.command
        }
        throw ToolError("the argument parser does not describe the commands")
    }

    /// The full name, such as `holdfast bundle sign`.
    var fullName: String { ((superCommands ?? []) + [commandName]).joined(separator: " ") }

    /// The subcommands for users, without the parser's `help`.
    var shownSubcommands: [CommandDescription] {
        (subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
    }

    /// The arguments for users, without the help flag.
    var shownArguments: [Argument] { (arguments ?? []).filter { $0.shouldDisplay && !$0.isHelp } }
}
