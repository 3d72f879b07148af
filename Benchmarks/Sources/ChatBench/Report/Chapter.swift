/// The figures of one subject.
struct Chapter: Codable, Sendable {
    var subject: Subject
    var figures: [Figure] = []
    /// Notes about the figures, one per line.
    var notes: [String] = []

    init(_ subject: Subject) {
        self.subject = subject
    }

    mutating func add(
        _ name: String, _ unit: String, goal: Double? = nil, tolerance: Double = 0, _ rounds: [Double]
    ) {
        figures.append(Figure(name, unit, goal: goal, tolerance: tolerance, rounds))
    }
}
