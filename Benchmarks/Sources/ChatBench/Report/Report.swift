/// All figures of a run.
struct Report: Codable, Sendable {
    /// The parameters by their option names.
    var parameters: [String: String]
    var machine: Machine
    var chapters: [Chapter] = []
}
