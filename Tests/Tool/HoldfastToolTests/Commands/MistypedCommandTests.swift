import Testing

@testable import HoldfastTool

@Suite("Mistyped commands") struct MistypedCommandTests {
    @Test(arguments: [
        ("prob", "holdfast probe"), ("prob example.com --policy p.json", "holdfast probe"), ("lnit", "holdfast lint"),
        ("Probe", "holdfast probe"), ("eval", "holdfast evaluate"), ("completion", "holdfast completions"),
        ("bundle sing", "holdfast bundle sign"), ("bundle verfy x", "holdfast bundle verify"),
        ("serve colector", "holdfast serve collector"), ("sign", "holdfast bundle sign"),
        ("bundle probe", "holdfast probe"), ("help prob", "holdfast probe"),
        ("help bundle sing", "holdfast bundle sign"),
    ]) func theMeantCommandIsNamed(_ line: String, _ meant: String) async {
        let outcome = await ToolOutcome.of(line.split(separator: " ").map(String.init))
        #expect(outcome.status == .usage)
        #expect(outcome.output.isEmpty)
        #expect(outcome.notes.hasPrefix("Error: "))
        #expect(outcome.notes.contains("Did you mean '\(meant)'?"), "\(outcome.notes)")
    }

    @Test(arguments: ["nonsense", "x", "bundle zzzzzzzz", "help nonsense"])
    func nothingIsNamedForAnUnknownWord(_ line: String) async {
        let outcome = await ToolOutcome.of(line.split(separator: " ").map(String.init))
        #expect(outcome.status == .usage)
        #expect(outcome.notes.contains("is not a command of 'holdfast"))
        #expect(!outcome.notes.contains("Did you mean"), "\(outcome.notes)")
        #expect(outcome.notes.contains("--help"))
    }

    @Test(arguments: [
        [], ["--help"], ["help"], ["help", "bundle", "sign"], ["probe", "prob"], ["bundle"], ["bundle", "--help"],
        ["pin", "server.pem"], ["pin", "advise", "server.pem"], ["--nonsense", "prob"], ["bundle", "--nonsense"],
        ["lint", "help"], ["--generate-completion-script", "bash"],
    ]) func otherCommandLinesAreLeftToTheParser(_ arguments: [String]) {
        #expect(MistypedCommand(in: arguments) == nil)
    }

    /// The argument parser does the same for options.
    @Test func theMeantOptionIsNamed() async {
        let outcome = await ToolOutcome.of("probe", "a.example", "--polcy", "policy.json")
        #expect(outcome.status == .usage)
        #expect(outcome.notes.contains("Did you mean '--policy'?"), "\(outcome.notes)")
    }

    /// A word may be very long, and may contain control characters, when a script passes the contents of a file.
    @Test func anyWordIsPrintedSafely() async {
        let long = await ToolOutcome.of(String(repeating: "probe", count: 50_000))
        #expect(long.status == .usage)
        #expect(long.notes.utf8.count < 2_000)
        let control = await ToolOutcome.of("prob\u{1B}[2J")
        #expect(!control.notes.contains("\u{1B}"))
    }

    @Test(arguments: [
        ("", "", 0), ("abc", "", 3), ("", "abc", 3), ("probe", "probe", 0), ("prob", "probe", 1),
        ("probes", "probe", 1),
        ("prpbe", "probe", 1), ("porbe", "probe", 1), ("lnit", "lint", 1), ("kitten", "sitting", 3),
    ]) func distancesAreCounted(_ first: String, _ second: String, _ distance: Int) {
        #expect(EditDistance.between(first, second) == distance)
        #expect(EditDistance.between(second, first) == distance)
    }
}
