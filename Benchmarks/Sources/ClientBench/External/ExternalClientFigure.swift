/// The result of a client in a separate process.
struct ExternalClientFigure: Codable {
    var client: String
    var version: Scenario.Version
    var concurrency: Int
    var requestsPerSecond: Double
    /// The processor time of the client's process only, in microseconds.
    var cpuPerRequest: Double
}
