import BenchSupport

/// One figure, with what it has to be.
struct Figure: Codable, Sendable {
    var name: String
    var unit: String
    /// One for each round.
    var rounds: [Double]
    /// The median over the rounds.
    var median: Double
    /// The most that it should be.
    var goal: Double?
    /// Whether the median keeps to the goal.
    var isMet: Bool?

    /// - Parameter tolerance: What a measurement adds to a figure that is whole by its nature.
    init(_ name: String, _ unit: String, goal: Double? = nil, tolerance: Double = 0, _ rounds: [Double]) {
        self.name = name
        self.unit = unit
        self.rounds = rounds
        self.median = rounds.median
        self.goal = goal
        self.isMet = goal.map { rounds.median <= $0 + tolerance }
    }
}
