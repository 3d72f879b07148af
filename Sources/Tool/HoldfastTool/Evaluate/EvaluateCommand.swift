import ArgumentParser
import HoldfastTrust

/// `holdfast evaluate`: answers test cases, one JSON line each. The format is docs/evaluate.md.
struct EvaluateCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "evaluate",
        abstract: "Judges certificate chains: reads cases as JSON lines, writes one JSON line for each.",
        discussion: """
            A case: {"id", "chain": [PEM…, leaf first], "anchors": [PEM…] or "system", "host", "time"?, "policy"?}. \
            An answer: {"id", "decision", "finding", "reason", "system", "path", "durationMicros"}, or {"id", "error"} for a \
            case that cannot be read. The exit code is 0 when every case was answered. docs/evaluate.md tells it all.
            """
    )

    @Option(help: ArgumentHelp("The file of cases, or - for standard input.", valueName: "file"))
    var cases: String

    func run(on console: Console) async throws {
        let read: (Int) throws -> [UInt8]
        if cases == "-" {
            read = console.input
        } else {
            let file = try InputFile(path: cases)
            read = { try file.read(upTo: $0) }
        }
        var lines = LineReader(limit: EvaluateCommand.lineLimit, read: read)
        var evaluator = CaseEvaluator(clock: .system)
        var number = 0
        while let line = try lines.next() {
            number += 1
            if let answer = await evaluator.answer(to: line, number: number) {
                try console.print(answer.json)
            }
        }
    }

    /// The longest line that is read, in bytes: a hundred certificates of the largest kind fit in.
    static let lineLimit = 8 * 1024 * 1024
}
