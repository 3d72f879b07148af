/// What a client in a process of its own did.
struct PeerFigure: Codable {
    var client: String
    var concurrency: Int
    var requestsPerSecond: Double
    /// Of the client's process alone.
    var cpuPerRequest: Double
}
