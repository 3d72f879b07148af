import BenchSupport
import Foundation

/// Python's client, connected to the reference server. It receives commands line by line.
struct PythonClientMeasurement: Measurement {
    /// A command, encoded as JSON.
    private struct Order: Codable {
        var url: String
        var deflate: Bool
        var connections: Int
        var window: Int
        var text: String
        /// The duration. Zero closes the connections.
        var seconds: Double
    }

    /// The answer to a command, encoded as JSON.
    private struct Answer: Codable {
        var messages: Int
        var seconds: Double
        var cpu: Double
        var p50: Double?
        var p99: Double?
    }

    let scenario: Scenario
    let process: InteractiveProcess
    let url: String
    let text: String
    /// The number of connections; ``Scenario/connections`` if `nil`.
    var connections: Int?

    func measure(for duration: Duration) async throws -> Slice {
        let answer = try ask(duration / .seconds(1))
        return Slice(
            messages: answer.messages, seconds: answer.seconds, cpu: answer.cpu, p50: answer.p50, p99: answer.p99)
    }

    func close() async throws {
        _ = try ask(0)
    }

    private func ask(_ seconds: Double) throws -> Answer {
        let order = Order(
            url: url, deflate: scenario.deflates, connections: connections ?? scenario.connections,
            window: scenario.window, text: text,
            seconds: seconds)
        let line = String(decoding: try JSONEncoder().encode(order), as: UTF8.self)
        return try JSONDecoder().decode(Answer.self, from: Data(try process.ask(line).utf8))
    }
}
