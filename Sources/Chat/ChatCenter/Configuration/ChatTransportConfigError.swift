/// A ``ChatTransportConfig`` that cannot be honoured. It lists everything that is wrong with it.
public struct ChatTransportConfigError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Every problem found; never empty.
    public var problems: [ChatTransportProblem]

    /// Wraps problems.
    public init(problems: [ChatTransportProblem]) {
        self.problems = problems
    }

    public var description: String { problems.map(\.description).joined(separator: " ") }
}
