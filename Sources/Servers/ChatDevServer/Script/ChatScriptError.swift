/// The problems of an invalid script.
public struct ChatScriptError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problems in the order of the file: at least one, at most 100.
    public var problems: [ScriptProblem]

    /// The first problem, and the number of further ones.
    public var description: String {
        let first = problems.first.map { "\($0)" } ?? "The script is invalid."
        return problems.count > 1 ? "\(first) (and \(problems.count - 1) more)" : first
    }
}
