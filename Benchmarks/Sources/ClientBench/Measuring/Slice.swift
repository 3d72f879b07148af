/// What one contestant did in one round.
struct Slice: Hashable, Sendable, Codable {
    /// Finished requests.
    var requests: Int
    /// Seconds on the wall.
    var seconds: Double
    /// Processor time of the process, the server included, in microseconds.
    var cpu: Double
    /// The part of it that the server's thread used.
    var serverCPU: Double

    var requestsPerSecond: Double { Double(requests) / max(seconds, 1e-9) }
    var cpuPerRequest: Double { cpu / Double(max(requests, 1)) }
    var clientCPUPerRequest: Double { (cpu - serverCPU) / Double(max(requests, 1)) }
}
