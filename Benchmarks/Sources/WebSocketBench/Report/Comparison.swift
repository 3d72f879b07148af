import BenchSupport

/// The results of one scenario, by contestant.
struct Comparison: Codable {
    /// The results of one contestant.
    struct Entry: Codable {
        var contestant: Contestant
        var slices: [Slice]
        /// The median over the rounds.
        var messagesPerSecond: Double
        var cpuPerMessage: Double
        var p50: Double?
        var p99: Double?

        init(_ contestant: Contestant, _ slices: [Slice]) {
            self.contestant = contestant
            self.slices = slices
            self.messagesPerSecond = slices.map(\.messagesPerSecond).median
            self.cpuPerMessage = slices.map(\.cpuPerMessage).median
            let halves = slices.compactMap(\.p50)
            self.p50 = halves.isEmpty ? nil : halves.median
            let tails = slices.compactMap(\.p99)
            self.p99 = tails.isEmpty ? nil : tails.median
        }
    }

    var scenario: Scenario
    var name: String
    var entries: [Entry]

    init(_ scenario: Scenario, _ slices: [(Contestant, [Slice])]) {
        self.scenario = scenario
        self.name = scenario.name
        self.entries = slices.map { Entry($0, $1) }
    }

    /// Returns the median, over the rounds, of one contestant's figure divided by another's in the same round.
    func ratio(_ figure: (Slice) -> Double, _ first: Contestant, to second: Contestant) -> Double? {
        guard let first = entries.first(where: { $0.contestant == first }),
            let second = entries.first(where: { $0.contestant == second })
        else { return nil }
        return zip(first.slices, second.slices).map { figure($0) / figure($1) }.median
    }
}
