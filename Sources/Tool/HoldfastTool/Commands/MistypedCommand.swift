import ArgumentParser
import HoldfastBase

/// A word of the command line that stands in the place of a command, but is not the name of one.
struct MistypedCommand: Hashable {
    /// The word as given.
    let word: String
    /// The command before it, such as `holdfast bundle`.
    let parent: String
    /// The full name of the command that was probably meant; `nil` if no name is similar.
    let suggestion: String?

    /// The maximum length of a word that is compared with the commands. The comparison takes quadratic time.
    private static let comparedCharacters = 32

    /// Searches the command line. Returns `nil` if every command in it exists, or if an option comes before the first
    /// unknown one: the argument parser describes such an error.
    init?(in arguments: [String], of root: any ParsableCommand.Type = Holdfast.self) {
        var path = [Self.name(of: root)]
        var level = root
        for word in arguments {
            // The parser's own command takes the names of commands.
            if path.count == 1, word == "help" { continue }
            let commands = level.configuration.subcommands
            guard !commands.isEmpty, !word.hasPrefix("-") else { return nil }
            if let next = commands.first(where: { Self.matches($0, word) }) {
                level = next
                path.append(Self.name(of: next))
                continue
            }
            // The word is an argument of the default command, such as the file in `holdfast pin server.pem`.
            guard level.configuration.defaultSubcommand == nil else { return nil }
            self.word = word
            parent = path.joined(separator: " ")
            suggestion = Self.suggestion(for: word, among: commands, of: path, root: root)
            return
        }
        return nil
    }

    /// The error for the user, in the form of the argument parser's errors.
    var message: String {
        let word = Printable.text(word)
        let question = suggestion.map { ". Did you mean '\($0)'?" } ?? ""
        return "Error: '\(word)' is not a command of '\(parent)'\(question)\n"
            + "  See '\(parent) --help' for a list of the commands."
    }

    // MARK: Suggestions

    private static func suggestion(
        for word: String, among commands: [any ParsableCommand.Type], of path: [String], root: any ParsableCommand.Type
    ) -> String? {
        guard word.count <= comparedCharacters else { return nil }
        let typed = word.lowercased()
        let names = commands.map { Self.name(of: $0) }
        let limit = typed.count < 4 ? 1 : typed.count < 7 ? 2 : 3
        if let exact = names.first(where: { $0 == typed }) { return (path + [exact]).joined(separator: " ") }
        // The command exists, but at another place: `holdfast sign` instead of `holdfast bundle sign`.
        if let other = Self.path(to: typed, below: root) { return other.joined(separator: " ") }
        let distances = names.map { (name: $0, distance: EditDistance.between(typed, $0)) }
        if let nearest = distances.min(by: { $0.distance < $1.distance }), nearest.distance <= limit {
            return (path + [nearest.name]).joined(separator: " ")
        }
        let longer = names.filter { typed.count >= 3 && $0.hasPrefix(typed) }
        return longer.count == 1 ? (path + longer).joined(separator: " ") : nil
    }

    /// Returns the path to a command anywhere below `level`, including the name of `level`.
    private static func path(to name: String, below level: any ParsableCommand.Type) -> [String]? {
        for command in level.configuration.subcommands {
            if Self.name(of: command) == name { return [Self.name(of: level), name] }
            if let rest = path(to: name, below: command) { return [Self.name(of: level)] + rest }
        }
        return nil
    }

    private static func name(of command: any ParsableCommand.Type) -> String {
        command.configuration.commandName ?? ""
    }

    private static func matches(_ command: any ParsableCommand.Type, _ word: String) -> Bool {
        name(of: command) == word || command.configuration.aliases.contains(word)
    }
}

/// Counts the typing errors between two words.
enum EditDistance {
    /// Returns the number of insertions, deletions, replacements and swaps of neighbors that turn one word into the
    /// other. No part of a word is changed twice.
    static func between(_ first: String, _ second: String) -> Int {
        let (first, second) = (Array(first), Array(second))
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for row in first.indices {
            var current = [row + 1]
            for column in second.indices {
                let isSame = first[row] == second[column]
                var distance = min(current[column] + 1, last[column + 1] + 1, last[column] + (isSame ? 0 : 1))
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    distance = min(distance, beforeLast[column - 1] + 1)
                }
                current.append(distance)
            }
            (beforeLast, last) = (last, current)
        }
        return last[second.count]
    }
}
