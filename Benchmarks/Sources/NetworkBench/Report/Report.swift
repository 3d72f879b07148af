import BenchSupport
import Foundation

/// All figures of a run.
struct Report: Codable, Sendable {
    /// The parameters by their option names.
    var parameters: [String: String]
    var processors = ProcessInfo.processInfo.activeProcessorCount
    /// The load average of the last minute, before the first and after the last figure; empty if it is not available.
    var load: [String] = []
    var chapters: [Chapter] = []

    init(parameters: [String: String]) {
        self.parameters = parameters
        noteLoad()
    }

    mutating func noteLoad() {
        if let now = LoadAverage.lastMinute() { load.append(now) }
    }
}

/// The figures of one network.
struct Chapter: Codable, Sendable {
    var network: String
    var figures: [Figure] = []
}

/// One figure of one client.
struct Figure: Codable, Sendable {
    var measure: String
    var unit: String
    var client: String
    /// The value of each round.
    var rounds: [Double]
    /// The median over the rounds.
    var median: Double

    init(_ measure: String, _ unit: String, _ client: String, _ rounds: [Double]) {
        self.measure = measure
        self.unit = unit
        self.client = client
        self.rounds = rounds
        self.median = rounds.median
    }
}
