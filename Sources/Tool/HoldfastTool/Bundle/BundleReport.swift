import HoldfastBase
import HoldfastTrust

/// The output of the bundle commands: one fact per line, or one JSON object with the same names.
struct BundleReport {
    enum Value {
        case text(String)
        case number(Int64)
        case flag(Bool)
    }

    private var fields: [(name: String, value: Value)]
    private var problems: [String]

    init(_ fields: [(String, Value)], problems: [String] = []) {
        self.fields = fields.map { (name: $0.0, value: $0.1) }
        self.problems = problems
    }

    /// Describes an accepted bundle.
    init(_ bundle: VerifiedBundle) {
        self.init([
            ("accepted", .flag(true)), ("application", .text(bundle.application)),
            ("version", .number(bundle.version)), ("keyID", .text(bundle.keyID)),
            ("notBefore", .text(bundle.notBefore.description)), ("notAfter", .text(bundle.notAfter.description)),
            ("policy", .text(bundle.policy.name)), ("rules", .number(Int64(bundle.policy.rules.count))),
        ])
    }

    func text(asJSON: Bool) -> String {
        asJSON ? json : (fields.map(line) + problems.map { "  \(Printable.text($0))" }).joined(separator: "\n")
    }

    private func line(_ field: (name: String, value: Value)) -> String {
        let value =
            switch field.value {
            case .text(let text): Printable.text(text)
            case .number(let number): String(number)
            case .flag(let flag): flag ? "yes" : "no"
            }
        return TerminalWidth.padded(field.name, to: 13) + value
    }

    private var json: String {
        var members: [(String, JSONNode.Value)] = fields.map { field in
            switch field.value {
            case .text(let text): (field.name, .string(text))
            case .number(let number): (field.name, .number(String(number)))
            case .flag(let flag): (field.name, .bool(flag))
            }
        }
        if !problems.isEmpty { members.append(("problems", .list(problems.map { .string($0) }))) }
        return String(JSONWriter.text(.fields(members)).dropLast())
    }
}
