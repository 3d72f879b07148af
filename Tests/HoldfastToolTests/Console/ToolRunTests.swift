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
    func aWrongCommandLineGoesToStandardError(_ arguments: [String]) async {
        let transcript = Transcript()
        #expect(await ToolRun(console: transcript.console).run(arguments) == .usage)
        #expect(transcript.output.isEmpty)
        #expect(transcript.notes.hasPrefix("Error: "))
    }

    @Test func anyErrorIsOneSentence() {
        struct Odd: Error, CustomStringConvertible { let description = "two\nlines\r\nof text" }
        #expect(ToolError(describing: Odd()).sentence == "two lines of text")
        #expect(ToolError(describing: ToolError("x", status: .failure)).status == .failure)
    }
}
