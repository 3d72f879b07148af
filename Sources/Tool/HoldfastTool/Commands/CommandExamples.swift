import ArgumentParser

/// The examples at the end of a command's help: complete command lines. A test parses each of them.
enum CommandExamples {
    /// The line before the examples.
    static let title = "EXAMPLES:"
    /// The longest line of an example that help text does not wrap at 80 columns.
    static let columns = 77
    private static let indent = "  "

    /// Returns a discussion that ends with examples.
    static func discussion(_ prose: String, examples: [String]) -> String {
        let lines = ([title] + examples.map { indent + $0 }).joined(separator: "\n")
        return prose.isEmpty ? lines : prose + "\n\n" + lines
    }

    /// Splits a discussion into its prose and its examples.
    static func parts(of discussion: String) -> (prose: String, examples: [String]) {
        guard let mark = discussion.firstRange(of: title + "\n") else { return (discussion, []) }
        let lines = discussion[mark.upperBound...].split(separator: "\n").map { String($0.dropFirst(indent.count)) }
        var prose = discussion[..<mark.lowerBound]
        while prose.last?.isNewline == true { prose.removeLast() }
        return (String(prose), lines)
    }
}

extension CommandConfiguration {
    /// Creates the configuration of a command whose help ends with examples.
    ///
    /// - Parameter examples: The lines of commands, of at most ``CommandExamples/columns`` columns. A command may have
    ///   several lines, of which all but the last end with a backslash.
    init(
        commandName: String, abstract: String, usage: String? = nil, discussion: String = "", examples: [String],
        subcommands: [any ParsableCommand.Type] = [], defaultSubcommand: (any ParsableCommand.Type)? = nil
    ) {
        self.init(
            commandName: commandName, abstract: abstract, usage: usage,
            discussion: CommandExamples.discussion(discussion, examples: examples), subcommands: subcommands,
            defaultSubcommand: defaultSubcommand)
    }
}
