import HTTPTypes
import HoldfastTransportTestSupport
import Metrics
import MetricsTestKit
import NIOCore
import Testing
import Tracing

@testable import HoldfastTransport

/// Metrics of requests and of the pool.
@Suite(.timeLimit(.minutes(1))) struct RequestMetricsTests {
    private let observed = Observed()
    private let plain = TransportConfiguration.forPlainServers
    private let duration = "holdfast.request.duration"

    @Test func eachOutcomeHasItsOwnTimer() async throws {
        try await ScriptedServer.with {
            switch $0.target {
            case "/garbage": [.text("SSH-2.0\n")]
            case let target: [.respond(status: "\(target.dropFirst()) x")]
            }
        } _: { server in
            let client = observed.client(plain)
            for status in [200, 204, 302, 404, 503, 600] {
                _ = try await client.collect(.plain(port: server.port, path: "/\(status)"), upTo: 9)
            }
            _ = try? await client.collect(.plain(port: server.port, path: "/garbage"), upTo: 9)
            _ = try? await client.collect(.plain(port: server.port, path: "no slash"), upTo: 9)
            let expected = [
                "2xx": 2, "3xx": 1, "4xx": 1, "5xx": 1, "other": 1, "malformedResponse": 1, "invalidURL": 1,
            ]
            for (outcome, count) in expected {
                #expect(observed.count(duration, [("outcome", outcome)]) == count, "\(outcome)")
            }
            #expect(observed.count(duration) == 8)
        }
    }

    private struct OwnError: Error {}

    /// An error that the caller's closure throws is not a label, whatever its text.
    @Test func labelsAreBounded() async throws {
        try await ScriptedServer.with { _ in
            [.respond("x")]
        } _: { server in
            let client = observed.client(plain)
            let errors: [any Error] = [
                OwnError(), CancellationError(), TransportError(.init(rawValue: "chat.example.com"), in: .open, ""),
            ]
            for error in errors {
                await #expect(throws: (any Error).self) {
                    try await client.execute(.plain(port: server.port)) { _, _ in throw error }
                }
            }
            for outcome in ["caller", "cancelled", "other"] {
                #expect(observed.count(duration, [("outcome", outcome)]) == 1, "\(outcome)")
            }
        }
    }

    /// Each step of a redirect counts as a request.
    @Test func redirectsCountByStep() async throws {
        try await ScriptedServer.with {
            $0.target == "/" ? [.respond(status: "302 Found", fields: ["Location: /there"])] : [.respond("x")]
        } _: { server in
            let client = observed.client(plain)
            let options = RequestOptions(redirects: .follow())
            _ = try await client.collect(.plain(port: server.port), upTo: 9, options: options)
            #expect(observed.count(duration, [("outcome", "3xx")]) == 1)
            #expect(observed.count(duration, [("outcome", "2xx")]) == 1)
        }
    }

    /// Durations and gauges in virtual time: exactly the time that passed on the event loop's clock.
    @Test func timesAndLevels() async throws {
        let world = VirtualWorld()
        let client = world.client {
            $0 = observed.watching($0)
            $0.maximumConnectionsPerHost = 1
        }
        async let first = client.collect(.plain(port: 80), upTo: 9)
        try await world.request()
        async let second = client.collect(.plain(port: 80), upTo: 9)
        while client.waitingCount < 1 { await Task.yield() }
        #expect(observed.level("holdfast.pool.waiting") == 1)
        #expect(observed.level("holdfast.pool.open") == 1)
        #expect(observed.level("holdfast.pool.idle") == 0)
        await world.pass(.seconds(3))
        try await world.respond("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
        _ = try await first
        try await world.request()
        #expect(observed.level("holdfast.pool.waiting") == 0)
        await world.pass(.seconds(4))
        try await world.respond("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
        _ = try await second
        #expect(observed.level("holdfast.pool.idle") == 1)
        let seconds = try observed.metrics.expectTimer(duration, [("outcome", "2xx")]).values.map { $0 / 1_000_000_000 }
        #expect(seconds == [3, 7])
        let waits = try observed.metrics.expectTimer("holdfast.pool.wait.duration", [("outcome", "served")]).values
        #expect(waits == [0, 3_000_000_000])
        #expect(observed.total("holdfast.pool.acquired", [("source", "queue")]) == 2)
        // The third request uses the idle connection.
        async let third = client.collect(.plain(port: 80), upTo: 9)
        try await world.request()
        #expect(observed.level("holdfast.pool.idle") == 0)
        try await world.respond("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
        _ = try await third
        #expect(observed.total("holdfast.pool.acquired", [("source", "idle")]) == 1)
        await world.pass(.seconds(31))
        #expect(observed.level("holdfast.pool.idle") == 0)
        #expect(observed.level("holdfast.pool.open") == 0)
        #expect(observed.level("holdfast.connections") == 0)
    }

    @Test func abandonedWaitsAreCounted() async throws {
        let world = VirtualWorld()
        let client = world.client {
            $0 = observed.watching($0)
            $0.maximumConnectionsPerHost = 1
        }
        let first = Task { try await client.collect(.plain(port: 80), upTo: 9) }  // reason: it is cancelled at the end
        try await world.request()
        let second = Task { try await client.collect(.plain(port: 80), upTo: 9) }  // reason: it is cancelled
        while client.waitingCount < 1 { await Task.yield() }
        await world.pass(.seconds(2))
        second.cancel()
        _ = try? await second.value
        let waits = try observed.metrics.expectTimer("holdfast.pool.wait.duration", [("outcome", "failed")]).values
        #expect(waits == [2_000_000_000])
        #expect(observed.level("holdfast.pool.waiting") == 0)
        first.cancel()
        _ = try? await first.value
        #expect(observed.count(duration, [("outcome", "cancelled")]) == 2)
    }

    @Test func retriesAreCounted() async throws {
        try await ScriptedServer.with {
            $0.number == 0 ? [.respond("x")] : [.close]
        } _: { server in
            let client = observed.client(plain)
            for _ in 0..<2 { _ = try await client.collect(.plain(port: server.port), upTo: 9) }
            #expect(observed.total("holdfast.request.retries") == 1)
            #expect(observed.count(duration) == 2)
        }
    }

    /// Gauges return to zero, whatever happens to requests and to the client.
    @Test func gaugesReturnToZero() async throws {
        try await ScriptedServer.with {
            $0.target.hasSuffix("7") ? [.cut] : [.respond($0.target)]
        } _: { server in
            var configuration = plain
            configuration.maximumConnectionsPerHost = 3
            let client = observed.client(configuration)
            await withTaskGroup { group in
                for number in 0..<60 {
                    group.addTask {
                        let request = Task {  // reason: some are cancelled
                            try await client.collect(.plain(port: server.port, path: "/\(number)"), upTo: 99)
                        }
                        if number % 5 == 0 { request.cancel() }
                        _ = try? await request.value
                    }
                }
            }
            await client.shutdown()
            for meter in ["holdfast.pool.open", "holdfast.pool.idle", "holdfast.pool.waiting"] {
                #expect(observed.level(meter) == 0, "\(meter)")
            }
            #expect(observed.count(duration) == 60)
        }
    }

    /// Without a metrics backend no code measures.
    @Test func withoutABackendNothingIsMeasured() {
        var configuration = plain
        configuration.metrics = NOOPMetricsHandler.instance
        configuration.tracer = NoOpTracer()
        #expect(RequestInstruments(configuration) == nil)
        #expect(PoolMetrics(NOOPMetricsHandler.instance) == nil)
        let dials = DialInstruments(configuration)
        #expect(dials.metrics == nil && dials.serverTLS == nil && dials.proxyTLS == nil && dials.tracer == nil)
    }
}
