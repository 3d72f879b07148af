import ArgumentParser
import HoldfastTrust

/// `holdfast evaluate`: evaluates test cases, one JSON line each. docs/evaluate.md defines the format.
struct EvaluateCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "evaluate",
        abstract: "Judge certificate chains: read cases as JSON lines, write one JSON line for each.",
        discussion: """
            A case: {"id", "chain": [PEM…, leaf first], "anchors": [PEM…] or "system", "host", "time"?, \
            "policy"?}. Instead of "policy": "policyFile" (the text of a policy in any format), or "evaluators": \
            {"rule": "all" or "any", "members": [policies, or "system"]}. A policy: {"pins": [base64, or \
            {"sha256", "scope": "any", "leaf" or "ca"}], "certificates", "mode": "system" or "pinnedKeysOnly", \
            "enforce", "scope", "expires", "hostnameVerification"}. Inputs of the verification: "crls", \
            "requiresRevocationLists", "policyInputs", "distrustedAnchors", "anchorConstraints", "logs", \
            "ocspAnswer", "requiresOCSPAnswer", "maximumIntermediates", "checksHost". An answer: {"id", "decision", "finding", "reason", "system", "path", "durationMicros"}, \
            or {"id", "error"} for a case that cannot be read. The exit code is 0 if every case was answered. \
            docs/evaluate.md describes each field.
            """,
        examples: [
            "holdfast evaluate --cases cases.jsonl",
            "some-generator | holdfast evaluate --cases -",
        ]
    )

    @Option(help: ArgumentHelp("The file of cases, or - for standard input.", valueName: "file"), completion: .file())
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

    /// The maximum length of a line in bytes: enough for a hundred certificates of the largest kind. The answer to a
    /// longer line is an error.
    static let lineLimit = 8 * 1024 * 1024
}
