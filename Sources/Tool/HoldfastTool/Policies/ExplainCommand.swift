import ArgumentParser
import HoldfastBase
import HoldfastLint
import HoldfastTrust

/// `holdfast explain`: shows which rule of a policy applies to a host, and why.
struct ExplainCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Show which rule of a policy applies to a host, and why.",
        discussion: "Exit codes: 0 there is an answer, 2 the policy or the host is unusable.",
        examples: [
            "holdfast explain policy.json www.example.com",
            "holdfast explain policy.json https://www.example.com/ --at 2027-01-31",
        ]
    )

    @Argument(help: ArgumentHelp("The policy file, or - for standard input.", valueName: "policy"), completion: .file())
    var policy: String

    @Argument(help: ArgumentHelp("The host, or an https or wss URL with the host.", valueName: "host | url"))
    var name: String

    @Option(help: "The format of the policy (default: detected from the contents).")
    var policyFormat: PolicyFormat?

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var input: PolicyInput

    func run(on console: Console) async throws {
        let document = try input.document(policy, as: policyFormat, on: console)
        for finding in document.diagnostics where finding.severity == .warning {
            console.note(LintReport.line(finding, in: policy == "-" ? "standard input" : policy, console.noteStyle()))
        }
        let host = try ExplainCommand.host(of: name)
        let explanation = try document.policy().explain(host, at: input.time)
        try console.print(json ? ExplainCommand.json(explanation) : console.fitted(ExplainCommand.text(explanation)))
    }

    /// Returns the host of a host name or URL. Throws for URLs with other schemes than https and wss, to which policies
    /// do not apply.
    private static func host(of name: String) throws -> CanonicalHost {
        guard name.contains("://") else { return try CanonicalHost(name) }
        do throws(ToolError) { return try ProbeTarget(name).host } catch { throw ToolError(error.sentence) }
    }

    private static func text(_ explanation: PolicyExplanation) -> String {
        var lines = [explanation.description]
        for step in explanation.considered where step.counts {
            for pin in step.rule.pins.sorted {
                lines.append("  \(pin)" + (pin.scope == .any ? "" : ", \(pin.scope.rawValue)"))
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func json(_ explanation: PolicyExplanation) -> String {
        let rules = explanation.considered.map { step in
            JSONNode.Value.fields([
                ("pattern", .text(step.rule.pattern)), ("counts", .bool(step.counts)), ("note", .string(step.note)),
                ("excluded", .bool(step.rule.isExcluded)), ("enforcement", .string(step.rule.enforcement.rawValue)),
                ("expires", step.rule.expires.map { .text($0) }),
                ("pins", .list(step.rule.pins.sorted.map(\.json))),
            ])
        }
        let text = JSONWriter.text(
            .fields([
                ("host", .text(explanation.host)), ("time", .text(explanation.time)),
                ("policy", .string(explanation.policyName)), ("conclusion", .string(explanation.conclusion)),
                ("rules", .list(rules)),
            ]))
        return String(text.dropLast())
    }
}
