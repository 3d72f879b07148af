/// A script that cannot be used, with everything that is wrong with it.
public struct ChatScriptError: Error, Hashable, Sendable, CustomStringConvertible {
    /// At least one, in the order of the file; at most a hundred.
    public var problems: [ScriptProblem]

    public var description: String {
        let first = problems.first.map { "\($0)" } ?? "The script cannot be used."
        return problems.count > 1 ? "\(first) (and \(problems.count - 1) more)" : first
    }
}
