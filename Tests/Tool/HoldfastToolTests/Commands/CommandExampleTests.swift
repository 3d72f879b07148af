import ArgumentParser
import Testing

@testable import HoldfastTool

@Suite("The examples in the help") struct CommandExampleTests {
    /// Returns the arguments of the tool in a command line, without a shell's pipes and redirections; `nil` if the line
    /// does not use the tool.
    static func arguments(in line: String) -> [String]? {
        let stages = line.split(separator: " | ").map(String.init)
        guard let stage = stages.first(where: { $0.hasPrefix("holdfast ") }) else { return nil }
        var words: [String] = []
        var word = ""
        var quote: Character?
        for character in stage + " " {
            if let open = quote {
                if character == open { quote = nil } else { word.append(character) }
            } else if character == "'" || character == "\"" {
                quote = character
            } else if character == " " {
                if !word.isEmpty { words.append(word) }
                word = ""
            } else {
                word.append(character)
            }
        }
        return Array(words.dropFirst().prefix { $0 != ">" })
    }

    /// Returns the command lines of examples. A backslash at the end of a line continues it.
    static func commands(in lines: [String]) -> [String] {
        lines.joined(separator: "\n").replacing("\\\n", with: "").split(separator: "\n").map(String.init)
    }

    @Test(arguments: CommandHelp.all)
    func everyExampleCanBeParsed(_ help: CommandHelp) throws {
        let examples = CommandExamples.parts(of: help.type.configuration.discussion).examples
        let lines = Self.commands(in: examples).compactMap(Self.arguments)
        #expect(!lines.isEmpty, "the help has no example")
        for line in lines {
            #expect(MistypedCommand(in: line) == nil, "\(line)")
            #expect(throws: Never.self, "\(line)") { try Holdfast.parseAsRoot(line) }
        }
        // An example of another command does not explain this one.
        let names = help.path.dropFirst()
        #expect(lines.contains { $0.starts(with: names) }, "no example uses the command")
    }

    @Test(arguments: CommandHelp.all)
    func helpShowsExamplesWithoutLineBreaks(_ help: CommandHelp) {
        let text = Holdfast.helpMessage(for: help.type, columns: 80)
        let examples = CommandExamples.parts(of: help.type.configuration.discussion).examples
        for line in examples {
            #expect(line.count <= CommandExamples.columns, "\(line)")
            #expect(text.contains("\n  \(line)\n"), "\(line)")
        }
    }

    /// Checks that the tests above can fail.
    @Test func invalidExamplesAreDetected() {
        #expect(throws: (any Error).self) { try Holdfast.parseAsRoot(["lint", "--no-such-option"]) }
        #expect(Self.arguments(in: "cat x | holdfast pin - '[::1]:1' > y") == ["pin", "-", "[::1]:1"])
        #expect(Self.arguments(in: "man ./holdfast.1") == nil)
        #expect(Self.commands(in: ["holdfast a \\", "  b", "holdfast c"]) == ["holdfast a   b", "holdfast c"])
        #expect(CommandExamples.parts(of: "Prose.").examples.isEmpty)
        let parts = CommandExamples.parts(of: CommandExamples.discussion("Prose.", examples: ["a", "  b"]))
        #expect(parts.prose == "Prose." && parts.examples == ["a", "  b"])
    }
}
