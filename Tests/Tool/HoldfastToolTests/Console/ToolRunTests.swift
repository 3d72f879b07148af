import Testing

@testable import HoldfastTool

@Suite("The tool's command line") struct ToolRunTests {
    @Test(arguments: [["--help"], ["help"], [], ["help", "evaluate"], ["pin", "--help"]])
    func helpGoesToStandardOutput(_ arguments: [String]) async {
        let transcript = Transcript()
        #expect(await ToolRun(console: transcript.console).run(arguments) == .success)
        #expect(transcript.output.contains("USAGE: holdfast"))
        #expect(transcript.notes.isEmpty)
    }

    @Test(arguments: [["nonsense"], ["--nonsense"], ["evaluate", "--nonsense"], ["pin"], ["evaluate", "--cases"]])
    func invalidCommandLineGoesToStandardError(_ arguments: [String]) async {
        let transcript = Transcript()
        #expect(await ToolRun(console: transcript.console).run(arguments) == .usage)
        #expect(transcript.output.isEmpty)
        #expect(transcript.notes.hasPrefix("Error: "))
    }

    @Test func anyErrorIsOneSentence() {
        struct Odd: Error, CustomStringConvertible { let description = "two\nlines\r\nof text" }
        #expect(ToolError(describing: Odd()).sentence == "two lines of text")
        // A peer's text cannot control the terminal.
        #expect(
            ToolError("no chat: \u{1B}]52;c;eA==\u{07}\nholdfast: fine").sentence
                == #"no chat: \u{1b}]52;c;eA==\u{7} holdfast: fine"#)
        #expect(ToolError(describing: ToolError("x", status: .failure)).status == .failure)
    }
}
