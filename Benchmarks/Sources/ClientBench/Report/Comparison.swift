import BenchSupport
/// The results of one scenario, by contestant.
struct Comparison: Codable {
    /// The results of one contestant.
    struct Entry: Codable {
        var contestant: ContestantKind
        var slices: [Slice]
        /// The median over the rounds.
        var requestsPerSecond: Double
        var cpuPerRequest: Double
        var clientCPUPerRequest: Double

        init(_ contestant: ContestantKind, _ slices: [Slice]) {
            self.contestant = contestant
            self.slices = slices
            self.requestsPerSecond = slices.map(\.requestsPerSecond).median
            self.cpuPerRequest = slices.map(\.cpuPerRequest).median
            self.clientCPUPerRequest = slices.map(\.clientCPUPerRequest).median
        }
    }

    var scenario: Scenario
    var name: String
    var entries: [Entry]

    init(_ scenario: Scenario, _ slices: [(ContestantKind, [Slice])]) {
        self.scenario = scenario
        self.name = scenario.name
        self.entries = slices.map { Entry($0, $1) }
    }

    /// Returns the median, over the rounds, of one contestant's figure divided by another's in the same round.
    func ratio(_ figure: (Slice) -> Double, _ first: ContestantKind, to second: ContestantKind) -> Double? {
        guard let first = entries.first(where: { $0.contestant == first }),
            let second = entries.first(where: { $0.contestant == second })
        else { return nil }
        return zip(first.slices, second.slices).map { figure($0) / figure($1) }.median
    }
}
