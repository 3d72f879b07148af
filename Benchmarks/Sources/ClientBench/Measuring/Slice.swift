/// The results of one contestant in one round.
struct Slice: Hashable, Sendable, Codable {
    /// The number of completed requests.
    var requests: Int
    /// The wall-clock time in seconds.
    var seconds: Double
    /// The processor time of the process, including the server, in microseconds.
    var cpu: Double
    /// The processor time of the server's thread, in microseconds.
    var serverCPU: Double

    var requestsPerSecond: Double { Double(requests) / max(seconds, 1e-9) }
    var cpuPerRequest: Double { cpu / Double(max(requests, 1)) }
    var clientCPUPerRequest: Double { (cpu - serverCPU) / Double(max(requests, 1)) }
}
