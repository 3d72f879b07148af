/// What came of a soak.
public struct SoakReport: Hashable, Sendable, Codable {
    /// What was done.
    public var plan: SoakPlan
    /// How long all requests took together, in seconds.
    public var seconds = 0.0
    /// How the requests ended: `success`, or the code of the error.
    public var outcomes: [String: Int] = [:]
    /// How many requests there were of each kind.
    public var kinds: [String: Int] = [:]
    /// How many of them were to be cancelled, and when.
    public var cancellations: [String: Int] = [:]
    /// Requests that were to be cancelled and were complete before.
    public var cancelledTooLate = 0
    /// Bytes of response bodies that were compared.
    public var bodyBytes: Int64 = 0
    /// Connections that the servers have seen.
    public var connections = 0
    /// Connections that were open on either side after the shut-down, places in the client's budget that were not given
    /// back, and requests in its queues.
    public var leaks = 0
    /// What must not happen: the first twenty, in words.
    public var violations: [String] = []
    /// How many of them there were.
    public var violationCount = 0

    init(plan: SoakPlan) {
        self.plan = plan
    }

    /// Whether every request ended as it may, and nothing was left behind.
    public var isClean: Bool { violationCount == 0 && leaks == 0 && outcomes.values.reduce(0, +) == plan.requests }

    mutating func violated(_ text: String) {
        violationCount += 1
        if violations.count < 20 { violations.append(text) }
    }
}
