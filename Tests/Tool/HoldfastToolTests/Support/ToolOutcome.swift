import Testing

@testable import HoldfastTool

/// The result of one run of the tool.
struct ToolOutcome {
    var status: ToolStatus
    var output: String
    var notes: String

    /// The lines of standard output.
    var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// Runs the tool in this process.
    static func of(_ arguments: String..., input: String = "") async -> ToolOutcome {
        await of(arguments, input: input)
    }

    /// Runs the tool with the arguments in a list.
    static func of(_ arguments: [String], input: String = "") async -> ToolOutcome {
        let transcript = Transcript(input: Array(input.utf8))
        let status = await ToolRun(console: transcript.console).run(arguments)
        return ToolOutcome(status: status, output: transcript.output, notes: transcript.notes)
    }

    /// Expects a refusal of the input: nothing on standard output, one sentence on standard error, exit code 2.
    func expectUnusable(_ words: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(status == .unusableInput, sourceLocation: sourceLocation)
        #expect(output.isEmpty, sourceLocation: sourceLocation)
        #expect(notes.contains(words), "\(notes)", sourceLocation: sourceLocation)
        #expect(notes.split(separator: "\n").count == 1, "\(notes)", sourceLocation: sourceLocation)
    }
}
