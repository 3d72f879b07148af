/// Why a policy cannot be honoured: every problem found, not only the first.
public struct PolicyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One problem.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// Where it lies, as in `rules[2].pins`.
        public var path: String
        /// What it is.
        public var reason: String

        /// Describes a problem.
        public init(path: String, reason: String) {
            self.path = path
            self.reason = reason
        }

        public var description: String { "\(path): \(reason)" }
    }

    /// The problems, in the order of the policy.
    public var problems: [Problem]

    /// Collects problems.
    public init(problems: [Problem]) {
        self.problems = problems
    }

    public var description: String { problems.map(\.description).joined(separator: "; ") }
}
