import BenchSupport

/// A peer's client, connected to the reference server. It receives commands line by line.
///
/// A command has these words: URL, 1 for compression or 0, connections, window, seconds, text. The text is last, so
/// that it can contain spaces. The answer has these words: messages, seconds, processor time in µs and, for a window of
/// 1, the median and the 99th percentile of the round trips in µs.
struct PeerClientMeasurement: Measurement {
    let scenario: Scenario
    let process: InteractiveProcess
    let url: String
    let text: String
    /// The number of connections; ``Scenario/connections`` if `nil`.
    var connections: Int?

    func measure(for duration: Duration) async throws -> Slice {
        try ask(duration / .seconds(1))
    }

    func close() async throws {
        // A duration of zero closes the connections.
        _ = try ask(0)
    }

    private func ask(_ seconds: Double) throws -> Slice {
        let line =
            "\(url) \(scenario.deflates ? 1 : 0) \(connections ?? scenario.connections) \(scenario.window) "
            + "\(seconds) \(text)"
        let answer = try process.ask(line)
        let numbers = answer.split(separator: " ").compactMap { Double($0) }
        guard numbers.count == 3 || numbers.count == 5 else {
            throw WrongEcho(what: "The client's answer is invalid: \(answer.prefix(60))")
        }
        return Slice(
            messages: Int(numbers[0]), seconds: numbers[1], cpu: numbers[2],
            p50: numbers.count == 5 ? numbers[3] : nil, p99: numbers.count == 5 ? numbers[4] : nil)
    }
}
