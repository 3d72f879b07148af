import BenchSupport
import NIOCore

/// A client in this process, connected to the reference server.
struct ClientMeasurement: Measurement {
    let scenario: Scenario
    let connections: [any ClientConnection]
    let text: String
    /// The server's event loop.
    let server: any EventLoop

    func measure(for duration: Duration) async throws -> Slice {
        let before = try await processorTime()
        let start = ContinuousClock.now
        let tally = try await withThrowingTaskGroup(of: Tally.self) { group in
            for connection in connections {
                group.addTask { try await connection.run(text, window: scenario.window, for: duration) }
            }
            return try await group.reduce(Tally(), +)
        }
        let elapsed = ContinuousClock.now - start
        let cpu = try await processorTime() - before
        return Slice(tally, seconds: elapsed / .seconds(1), cpu: cpu)
    }

    func close() async throws {
        for connection in connections { try await connection.close() }
    }

    /// Returns the processor time of the process without the server's thread.
    private func processorTime() async throws -> Double {
        let server = try await server.submit { ProcessorTime.ofThread() }.get()
        return ProcessorTime.ofProcess() - server
    }
}
