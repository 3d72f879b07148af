import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Synchronization
import Testing

/// Verifying open connections again can take long. No request waits for it beyond its own timeout.
@Suite(.timeLimit(.minutes(1))) struct RejudgementTests {
    /// A trust context whose evaluations never return after a test says so, even if they are cancelled.
    private final class Slow: Sendable {
        let release = Trigger()
        private let state = Mutex<(isSlow: Bool, count: Int)>((false, 0))

        /// The number of evaluations that did not return.
        var count: Int { state.withLock { $0.count } }

        func begin() { state.withLock { $0.isSlow = true } }
        func end() { state.withLock { $0.isSlow = false } }

        func trust(_ inner: TrustContext, onFirst: @escaping @Sendable () -> Void = {}) -> TrustContext {
            let first = Mutex(true)
            return TrustContext(
                name: "slow", snapshot: inner.readSnapshot, changes: inner.policyChanges
            ) { chain, subject, time in
                let isFirst = first.withLock { first in
                    defer { first = false }
                    return first
                }
                if isFirst { onFirst() }
                let isSlow = self.state.withLock { state in
                    let isSlow = state.isSlow && !(isFirst && state.count == 0)
                    if isSlow { state.count += 1 }
                    return isSlow
                }
                guard isSlow else { return inner.judge(chain, for: subject, at: time) }
                return .later {
                    await self.release.wait()
                    return await inner.judge(chain, for: subject, at: time).verdict()
                }
            }
        }
    }

    private let world: PinnedWorld
    private let slow = Slow()
    private let holder: PolicyHolder
    private let next: PinningPolicy

    init() throws {
        world = try PinnedWorld()
        holder = PolicyHolder(try Self.policy("first", world.leaf))
        next = try Self.policy("second", world.intermediate)
    }

    private static func policy(_ name: String, _ identity: Identity) throws -> PinningPolicy {
        try PinningPolicy(
            name: name,
            rules: [PinningRule(HostPattern(PinnedWorld.host), pins: PinSet([Pin(identity.spkiDigest)]))],
            backupPins: .off)
    }

    private func configuration(onFirst: @escaping @Sendable () -> Void = {}) -> TransportConfiguration {
        let inner = TrustContext.policies(holder, anchors: .only([world.root.view])).withoutVerdictCache()
        return world.configuration(trust: slow.trust(inner, onFirst: onFirst))
    }

    /// Each connection is verified once for any number of requests, and the requests end at their timeouts.
    @Test func anEndlessEvaluationDoesNotBlockRequests() async throws {
        defer { slow.release.fire() }
        let go = Trigger()
        try await ScriptedServer.with(tls: ServerTLS(world.leaf)) { _ in
            [.wait(go), .respond("x")]
        } _: { server in
            var configuration = configuration()
            configuration.maximumConnectionsPerHost = 3
            let client = HTTPClient(configuration: configuration)
            try await withThrowingTaskGroup { group in
                for _ in 0..<3 {
                    group.addTask { _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9) }
                }
                await server.waitForRequests(3)
                go.fire()
                try await group.waitForAll()
            }
            #expect(client.live.count == 3)
            slow.begin()
            holder.replace(with: next)
            for _ in 0..<2 {
                await withTaskGroup { group in
                    for _ in 0..<5 {
                        group.addTask {
                            let error = try? await transportError {
                                _ = try await client.collect(
                                    HTTPRequest(port: server.port), upTo: 9,
                                    options: RequestOptions(totalTimeout: .milliseconds(200)))
                            }
                            #expect(error?.code == .timedOut)
                            #expect(error?.phase == .total)
                        }
                    }
                }
            }
            #expect(slow.count == 3)
            let cancelled = Task {  // reason: the test cancels it
                try await client.collect(HTTPRequest(port: server.port), upTo: 9)
            }
            cancelled.cancel()
            #expect(try await transportError { _ = try await cancelled.value }.code == .cancelled)
            #expect(server.requests.count == 3)
            await client.shutdown()
            #expect(client.live.isEmpty)
        }
    }

    /// When the connection is finally accepted, it carries the waiting request.
    @Test func aWaitingRequestIsSent() async throws {
        try await ScriptedServer.with(tls: ServerTLS(world.leaf)) { _ in
            [.respond("x")]
        } _: { server in
            let client = HTTPClient(configuration: configuration())
            _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
            slow.begin()
            holder.replace(with: next)
            async let answer = client.collect(HTTPRequest(port: server.port), upTo: 9)
            while slow.count == 0 { await Task.yield() }
            #expect(server.requests.count == 1)
            slow.end()
            slow.release.fire()
            #expect(try await answer.text == "x")
            #expect(server.connectionCount == 1)
        }
    }

    /// A server whose verification exceeds the time limit is not trusted.
    @Test func anOverdueEvaluationEndsTheConnection() async throws {
        defer { slow.release.fire() }
        let recording = RecordingLogHandler()
        try await ScriptedServer.with(tls: ServerTLS(world.leaf)) { _ in
            [.respond("x")]
        } _: { server in
            var configuration = configuration()
            configuration.tlsTimeout = .seconds(2)
            let client = HTTPClient(configuration: configuration, logger: recording.logger())
            _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
            slow.begin()
            holder.replace(with: next)
            while slow.count == 0 { await Task.yield() }
            slow.end()
            // The request waited for the verification, and is sent on a connection that the policy accepts.
            let answer = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
            #expect(answer.text == "x")
            #expect(server.requests.map(\.connection) == [0, 1])
            #expect(recording.entries.contains { "\($0)".contains("evaluationTimedOut") })
        }
    }

    /// The same for a new connection: neither the request nor the shutdown waits for the evaluation.
    @Test func aDialIsNotBlockedForever() async throws {
        defer { slow.release.fire() }
        let (holder, next, slow) = (holder, next, slow)
        try await ScriptedServer.with(tls: ServerTLS(world.leaf)) { _ in
            [.respond("x")]
        } _: { server in
            let client = HTTPClient(
                configuration: configuration {
                    slow.begin()
                    holder.replace(with: next)
                })
            let error = try await transportError {
                _ = try await client.collect(
                    HTTPRequest(port: server.port), upTo: 9,
                    options: RequestOptions(totalTimeout: .seconds(1)))
            }
            #expect(error.code == .timedOut)
            #expect(slow.count == 1)
            await client.shutdown()
            #expect(client.live.isEmpty)
            #expect(server.requests.isEmpty)
        }
    }
}
