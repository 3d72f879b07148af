/// All figures of a run.
struct Report: Codable, Sendable {
    /// What it was told, by the names on the command line.
    var parameters: [String: String]
    var machine: Machine
    var chapters: [Chapter] = []
}
