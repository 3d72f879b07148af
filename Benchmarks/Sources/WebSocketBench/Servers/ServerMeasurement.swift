import BenchSupport
import NIOCore
import NIOSSL

/// A server under the load of the reference client.
struct ServerMeasurement: Measurement {
    let scenario: Scenario
    let connections: [ReferenceClientConnection]
    /// The frame to send.
    let frame: ByteBuffer
    /// The client's event loop.
    let load: any EventLoop
    /// The server's process identifier; `nil` if the server is in this process.
    let process: Int32?

    func measure(for duration: Duration) async throws -> Slice {
        let before = try await processorTime()
        let start = ContinuousClock.now
        let tally = try await withThrowingTaskGroup(of: Tally.self) { group in
            for connection in connections {
                group.addTask { try await connection.run(frame, window: scenario.window, for: duration) }
            }
            return try await group.reduce(Tally(), +)
        }
        let elapsed = ContinuousClock.now - start
        let cpu = try await processorTime() - before
        return Slice(tally, seconds: elapsed / .seconds(1), cpu: cpu)
    }

    func close() async throws {
        for connection in connections {
            do {
                try await connection.channel.close()
            } catch NIOSSLError.uncleanShutdown {
                // A peer's server can close its socket without TLS's close_notify.
            }
        }
    }

    /// Returns the server's processor time: in this process, the time without the client's thread.
    private func processorTime() async throws -> Double {
        if let process { return ProcessorTime.of(process: process) }
        let client = try await load.submit { ProcessorTime.ofThread() }.get()
        return ProcessorTime.ofProcess() - client
    }
}
