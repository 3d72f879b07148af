/// Why a policy cannot be honoured: every problem found, not only the first.
public struct PolicyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One problem.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// The path of the element, as in `domains[2].pins`.
        public var path: String
        /// Where it stands in its file, if it came from one.
        public var position: SourcePosition?
        /// What it is.
        public var reason: String

        /// Describes a problem.
        public init(path: String, position: SourcePosition? = nil, reason: String) {
            self.path = path
            self.position = position
            self.reason = reason
        }

        /// Takes a reader's error.
        public init(_ diagnostic: PolicyDiagnostic) {
            self.init(path: diagnostic.path, position: diagnostic.position, reason: diagnostic.message)
        }

        public var description: String {
            (position.map { "\($0): " } ?? "") + (path.isEmpty ? reason : "\(Printable.text(path)): \(reason)")
        }
    }

    /// The problems, in the order of the policy.
    public var problems: [Problem]

    /// Collects problems.
    public init(problems: [Problem]) {
        self.problems = problems
    }

    public var description: String { problems.map(\.description).joined(separator: "; ") }
}
