import HoldfastBase
import Testing

@testable import HoldfastTool

@Suite("Colors") struct StyleTests {
    private let folder: TemporaryFolder
    private let policy: String

    init() throws {
        folder = try TemporaryFolder()
        // Lint reports an error: the format is unknown.
        policy = try folder.file("pins.txt", "hello")
    }

    /// Runs the tool at a terminal, or with its output in a file.
    private func run(_ arguments: [String], isTerminal: Bool, allowsColor: Bool = true) async -> Transcript {
        let transcript = Transcript(isInteractive: isTerminal)
        var console = transcript.console
        console.outputIsTerminal = isTerminal
        console.allowsColor = allowsColor
        _ = await ToolRun(console: console).run(arguments)
        return transcript
    }

    private func isColored(_ arguments: [String], isTerminal: Bool, allowsColor: Bool = true) async -> Bool {
        let transcript = await run(["lint", policy] + arguments, isTerminal: isTerminal, allowsColor: allowsColor)
        #expect(transcript.output.contains("pins.txt"), "\(transcript.notes)")
        return transcript.output.contains("\u{1B}")
    }

    @Test func onlyATerminalShowsColors() async {
        #expect(await isColored([], isTerminal: true))
        #expect(await !isColored([], isTerminal: false))
        #expect(await !isColored([], isTerminal: true, allowsColor: false))
    }

    @Test func optionTakesPrecedence() async {
        #expect(await isColored(["--color", "always"], isTerminal: false, allowsColor: false))
        #expect(await !isColored(["--color", "never"], isTerminal: true))
        #expect(await isColored(["--color", "auto"], isTerminal: true))
    }

    @Test(arguments: [["--json"], ["--format", "json"], ["--format", "sarif"], ["--format", "github"]])
    func otherFormatsHaveNoColors(_ format: [String]) async {
        #expect(await !isColored(format, isTerminal: true))
        let refused = await ToolOutcome.of(["lint", policy, "--color", "always"] + format)
        #expect(refused.status == .usage)
        #expect(refused.notes.contains("--color always"))
    }

    @Test(
        arguments: [
            (nil, nil, true), (nil, "xterm-256color", true), ("", "xterm", true), ("1", "xterm", false),
            ("0", "xterm", false), ("false", nil, false), (nil, "dumb", false), ("", "dumb", false),
        ] as [(String?, String?, Bool)])
    func environmentPreventsColors(_ noColor: String?, _ terminal: String?, _ isAllowed: Bool) {
        #expect(ColorChoice.isAllowed(noColor: noColor, terminal: terminal) == isAllowed)
    }

    @Test func textHasTheSameWordsWithAndWithoutColors() async {
        let plain = await run(["lint", policy], isTerminal: false).output
        let colored = await run(["lint", policy], isTerminal: true).output
        #expect(colored != plain)
        #expect(Self.withoutColors(colored) == plain)
    }

    /// A color has no width: the columns of a table stay aligned.
    @Test(arguments: [nil, 60, 30]) func colorsDoNotChangeATable(_ width: Int?) {
        var table = TextTable([.number("#"), .text("result"), .whole("end")], hasRule: true)
        table.add(["1", "refused: a long reason that has to be wrapped", "x"], meanings: [1: .error])
        table.add(["20", "ok", "y"], meanings: [1: .success, 2: .warning])
        let plain = table.lines(width: width)
        let colored = table.lines(width: width, style: TerminalStyle(isColored: true))
        #expect(colored != plain)
        #expect(colored.map(Self.withoutColors) == plain)
        // Each line ends its colors, so that nothing else is colored.
        for line in colored { #expect(line.ranges(of: "\u{1B}").count.isMultiple(of: 2), "\(line)") }
    }

    @Test func colorsHaveNoWidth() {
        let style = TerminalStyle(isColored: true)
        #expect(TerminalWidth.columns(style.text("word", .error)) == 4)
        #expect(TerminalWidth.columns("a" + style.text("面", .note) + "b") == 4)
        #expect(TerminalWidth.padded(style.text("ab", .success), to: 4).hasSuffix("m  "))
        #expect(style.text("", .error).isEmpty)
        #expect(TerminalStyle.plain.text("word", .error) == "word")
    }

    @Test func demoColorsItsResults() {
        let result = DemoResult(
            number: 1, chapter: .attacks, name: "step", mode: .systemAndPins, expectation: .worked,
            observation: .failed("why"), duration: .milliseconds(1))
        let report = DemoReport(address: "", results: [result])
        let colored = report.table(style: TerminalStyle(isColored: true))
        #expect(colored.contains("\u{1B}[1;31mfailed  <-- WRONG\u{1B}[0m"))
        #expect(Self.withoutColors(colored) == report.table())
        let transcript = Transcript()
        DemoNarrator(transcript.console, style: TerminalStyle(isColored: true)).tell(result)
        #expect(transcript.output.hasPrefix("\u{1B}[1;31mWRONG\u{1B}[0m 1. step"))
    }

    private static func withoutColors(_ text: String) -> String {
        text.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
    }
}
