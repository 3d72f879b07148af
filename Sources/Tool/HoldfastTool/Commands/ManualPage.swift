import HoldfastBase

/// The tool's manual page in the format of man(7), from the same descriptions as the help.
struct ManualPage {
    private var page = RoffText()

    /// Creates the page.
    ///
    /// - Parameter tool: The tool with all its commands.
    init(_ tool: CommandDescription) {
        page.comment("Printed by: \(tool.commandName) manual")
        // Without a date, so that the same version always has the same page.
        page.macro("TH", tool.commandName.uppercased(), "1", "", "\(tool.commandName) \(PackageVersion.current)", "")
        page.macro("SH", "NAME")
        page.line(.plain("\(tool.commandName) - \(ErrorText.clause(tool.abstract ?? ""))"))
        page.macro("SH", "SYNOPSIS")
        page.line(
            .bold(tool.commandName), .plain(" "), .italic("command"), .plain(" ["), .italic("options"), .plain("]"))
        page.macro("br")
        page.line(.bold("\(tool.commandName) --version"))
        let (prose, examples) = CommandExamples.parts(of: tool.discussion ?? "")
        page.macro("SH", "DESCRIPTION")
        page.paragraphs(prose)
        page.macro("SH", "OPTIONS")
        item([.bold("-h"), .plain(", "), .bold("--help")], "Show the help of the tool or of a command.")
        item([.bold("--version")], "Show the version of the tool.")
        page.macro("SH", "COMMANDS")
        for command in tool.shownSubcommands { write(command) }
        page.macro("SH", "EXIT STATUS")
        for (status, meaning) in ToolStatus.meanings { item([.bold("\(status.rawValue)")], meaning) }
        item([.bold("129, 130, 143")], "SIGHUP, SIGINT or SIGTERM ended the command before it had a result.")
        page.macro("SH", "ENVIRONMENT")
        for (variable, meaning) in ToolEnvironment.variables { item([.bold(variable)], meaning) }
        page.macro("SH", "EXAMPLES")
        page.verbatim(examples)
        page.macro("SH", "SEE ALSO")
        page.line(.bold("openssl"), .plain("(1), "), .bold("curl"), .plain("(1)"))
    }

    /// The text of the page.
    var text: String { page.text }

    private mutating func write(_ command: CommandDescription) {
        page.macro("SS", command.fullName)
        page.line(Self.synopsis(of: command))
        let (prose, examples) = CommandExamples.parts(of: command.discussion ?? "")
        page.paragraphs([command.abstract ?? "", prose].filter { !$0.isEmpty }.joined(separator: "\n\n"))
        for argument in command.shownArguments { item(Self.label(of: argument), Self.help(for: argument)) }
        if !examples.isEmpty {
            page.paragraphs(examples.count == 1 ? "Example:" : "Examples:")
            page.verbatim(examples)
        }
        for subcommand in command.shownSubcommands { write(subcommand) }
    }

    /// Writes a term and its description.
    private mutating func item(_ label: [RoffText.Part], _ description: String) {
        page.macro("TP")
        page.line(label)
        if !description.isEmpty { page.line(.plain(description)) }
    }

    // MARK: Parts of a command

    private static func synopsis(of command: CommandDescription) -> [RoffText.Part] {
        var parts: [RoffText.Part] = [.bold(command.fullName)]
        for argument in command.shownArguments {
            var words = label(of: argument, onlyPreferred: true)
            if argument.isRepeating { words.append(.plain(" ...")) }
            parts += argument.isOptional ? [.plain(" [")] + words + [.plain("]")] : [.plain(" ")] + words
        }
        if !command.shownSubcommands.isEmpty { parts += [.plain(" "), .italic("command")] }
        return parts
    }

    private static func label(
        of argument: CommandDescription.Argument, onlyPreferred: Bool = false
    ) -> [RoffText.Part] {
        let names = (argument.names ?? []).map { RoffText.Part.bold($0.text) }
        let shown = onlyPreferred ? Array(names.prefix(1)) : names
        var parts: [RoffText.Part] = []
        for name in shown { parts += parts.isEmpty ? [name] : [.plain(", "), name] }
        guard let value = argument.value else { return parts }
        return parts + (parts.isEmpty ? [] : [.plain(" ")]) + [.italic(value)]
    }

    private static func help(for argument: CommandDescription.Argument) -> String {
        let values = argument.allValues.map { "values: " + $0.joined(separator: ", ") }
        let standard = argument.defaultValue.map { "default: " + $0 }
        let facts = [values, standard].compactMap(\.self).joined(separator: "; ")
        let texts = [argument.abstract, facts.isEmpty ? nil : "(\(facts))", argument.discussion]
        return texts.compactMap(\.self).joined(separator: " ")
    }
}
