import BenchSupport

/// One figure and its goal.
struct Figure: Codable, Sendable {
    var name: String
    var unit: String
    /// The value of each round.
    var rounds: [Double]
    /// The median over the rounds.
    var median: Double
    /// The maximum value of the goal.
    var goal: Double?
    /// Whether the median meets the goal.
    var isMet: Bool?

    /// Creates a figure.
    ///
    /// - Parameter tolerance: The permitted error of a measurement of a whole number.
    init(_ name: String, _ unit: String, goal: Double? = nil, tolerance: Double = 0, _ rounds: [Double]) {
        self.name = name
        self.unit = unit
        self.rounds = rounds
        self.median = rounds.median
        self.goal = goal
        self.isMet = goal.map { rounds.median <= $0 + tolerance }
    }
}
