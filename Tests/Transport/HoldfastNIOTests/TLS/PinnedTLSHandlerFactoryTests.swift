import HoldfastTestSupport
import HoldfastTransportTestSupport
import HoldfastTrust
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import HoldfastNIO

/// Tests the handlers that the factory adds to an app's own pipelines, in virtual time.
@Suite struct PinnedTLSHandlerFactoryTests {
    private let factory = CertificateFactory()
    private let root: Identity
    private let leaf: Identity
    private let rogue: Identity

    init() throws {
        root = try factory.authority("Root")
        leaf = try factory.leaf([TLSPair.host], signedBy: root)
        rogue = try factory.leaf([TLSPair.host], signedBy: factory.authority("Rogue"))
    }

    private var trust: TrustContext { .system(anchors: .only([root.view])) }

    /// Transfers bytes and runs the loop's tasks until the outcome is known, because the evaluation may run on another
    /// thread.
    private func outcome(_ pair: TLSPair) async throws -> TLSFacts {
        let known = ErrorLog.Flag()
        pair.handshake.outcome.whenComplete { _ in known.set() }
        while !known.isSet {
            try? await pair.exchange()
            await pair.loop.run()
            await Task.yield()
        }
        return try await pair.handshake.outcome.get()
    }

    @Test func acceptsAPinnedServer() async throws {
        let pair = try await TLSPair(leaf, trust: trust)
        let facts = try await outcome(pair)
        #expect(facts.verdict.permitsConnection)
        #expect(facts.verdict == pair.handshake.gate.verdict)
        #expect(facts.version == "TLSv1.3")
        #expect(facts.applicationProtocol == "test/1")
        #expect(facts.cipherSuite?.hasPrefix("TLS_") == true)
        #expect(pair.errors.handshakes == 1)
        #expect(pair.errors.errors.isEmpty)
        #expect(try await !hasHandshakeHandlers(pair))
    }

    /// Whether the client's pipeline still contains a handler that only the handshake needs.
    private func hasHandshakeHandlers(_ pair: TLSPair) async throws -> Bool {
        try await pair.loop.executeInContext {
            let pipeline = pair.client.pipeline.syncOperations
            let hasGuard = (try? pipeline.context(handlerType: HandshakeGuard.self)) != nil
            let hasObserver = (try? pipeline.context(handlerType: ServerHelloObserver.self)) != nil
            return hasGuard || hasObserver
        }
    }

    /// A handshake that fails without a certificate releases its gate.
    @Test func releasesAFailedHandshake() async throws {
        weak var gate: VerificationGate?
        do {
            let pair = try await TLSPair(nil, trust: trust)
            gate = pair.handshake.gate
            try await pair.client.close()
            await #expect(throws: HandshakeFailure.self) { try await pair.handshake.outcome.get() }
            await pair.loop.run()
        }
        #expect(gate == nil)
    }

    /// Later handlers receive one typed error and no handshake event.
    @Test func reportsARefusedServer() async throws {
        let pair = try await TLSPair(rogue, trust: trust)
        do {
            _ = try await outcome(pair)
            Issue.record("The server was accepted.")
        } catch let error as TrustRefusal {
            #expect(error.verdict.finding.code == .unknownIssuer)
        }
        await pair.loop.run()
        #expect(pair.errors.handshakes == 0)
        #expect(pair.errors.errors.count == 1)
        #expect((pair.errors.errors.first as? TrustRefusal)?.verdict.finding.code == .unknownIssuer)
        #expect(pair.errors.isInactive)
    }

    @Test func silentServerTimesOut() async throws {
        let pair = try await TLSPair(nil, trust: trust)
        await pair.loop.advanceTime(by: .milliseconds(29_999))
        #expect(pair.errors.errors.isEmpty)
        await pair.loop.advanceTime(by: .milliseconds(1))
        do {
            _ = try await pair.handshake.outcome.get()
            Issue.record("The handshake completed.")
        } catch let error as HandshakeFailure {
            #expect(error.code == .timedOut)
        }
        await pair.loop.run()
        #expect(pair.errors.isInactive)
    }

    /// A verdict refuses an endless evaluation at the deadline, and the evaluation is cancelled.
    @Test func refusesAnEndlessEvaluationAtTheDeadline() async throws {
        let asked = Trigger()
        let stopped = Trigger()
        let trust = TrustContext(name: "endless") { _, subject, time in
            .later {
                asked.fire()
                try? await Task.sleep(for: .seconds(100_000))  // reason: ends by cancellation
                stopped.fire()
                return TrustVerdict(
                    decision: .allow, finding: TrustFinding(.validPath, "too late"), subject: subject,
                    policyName: "endless", time: time)
            }
        }
        let pair = try await TLSPair(leaf, trust: trust)
        try await pair.exchange()
        await asked.wait()
        await pair.loop.advanceTime(by: .milliseconds(29_999))
        #expect(pair.errors.errors.isEmpty)
        #expect(pair.handshake.gate.verdict == nil)
        await pair.loop.advanceTime(by: .milliseconds(1))
        do {
            _ = try await pair.handshake.outcome.get()
            Issue.record("The handshake completed.")
        } catch let error as TrustRefusal {
            #expect(error.verdict.finding.code == .evaluationTimedOut)
            #expect(!error.verdict.permitsConnection)
        }
        await stopped.wait()
        // The late answer has no effect.
        #expect(pair.handshake.gate.verdict?.finding.code == .evaluationTimedOut)
        #expect(pair.errors.handshakes == 0)
    }

    /// If the peer closes during the evaluation, the outcome waits for the verdict.
    @Test(arguments: [true, false])
    func outcomeWaitsForTheVerdict(allow: Bool) async throws {
        let asked = Trigger()
        let answer = Trigger()
        let trust = TrustContext(name: "by hand") { _, subject, time in
            .later {
                asked.fire()
                await answer.wait()
                return TrustVerdict(
                    decision: allow ? .allow : .block,
                    finding: TrustFinding(allow ? .validPath : .unknownIssuer, "by hand"), subject: subject,
                    policyName: "by hand", time: time)
            }
        }
        let pair = try await TLSPair(leaf, trust: trust)
        try await pair.exchange()
        await asked.wait()
        try await pair.client.close()
        await pair.loop.run()
        answer.fire()
        do {
            _ = try await pair.handshake.outcome.get()
            Issue.record("The handshake completed.")
        } catch let error as TrustRefusal {
            #expect(!allow)
            #expect(error.verdict.finding.code == .unknownIssuer)
        } catch let error as HandshakeFailure {
            #expect(allow)
            #expect(error.code == .closed)
        }
    }

    /// A small chain is verified without a change of threads, and a chain with expensive signatures on another thread.
    @Test(arguments: [KeyKind.p256, .p521])
    func verifiesASmallChainOnTheEventLoop(kind: KeyKind) async throws {
        let root = try factory.authority("Root", CertificateOptions(keyKind: kind))
        let leaf = try factory.leaf([TLSPair.host], signedBy: root)
        let log = ThreadLog()
        let pair = try await TLSPair(leaf, trust: TrustContext.system(anchors: .only([root.view])).reporting(to: log))
        log.loop.withLock { $0 = pair.loop }
        let facts = try await outcome(pair)
        #expect(facts.verdict.permitsConnection)
        #expect(facts.verdict.duration > .zero)
        #expect(log.isOnLoop.withLock { $0 } == [kind == .p256])
    }

    private final class ThreadLog: TrustEventSink {
        let loop = Mutex<NIOAsyncTestingEventLoop?>(nil)
        let isOnLoop = Mutex<[Bool]>([])
        func record(_ verdict: TrustVerdict) {
            let isInside = loop.withLock { $0?.inEventLoop ?? false }
            isOnLoop.withLock { $0.append(isInside) }
        }
    }

    /// The context evaluates; the gate measures.
    @Test func verdictContainsItsDuration() async throws {
        let trust = TrustContext(name: "slow") { _, subject, time in
            let end = ContinuousClock.now.advanced(by: .milliseconds(5))
            while ContinuousClock.now < end {}
            return .now(
                TrustVerdict(
                    decision: .allow, finding: TrustFinding(.validPath, "after a while"), subject: subject,
                    policyName: "slow", time: time))
        }
        let pair = try await TLSPair(leaf, trust: trust)
        let facts = try await outcome(pair)
        #expect(facts.verdict.duration >= .milliseconds(5))
    }

    @Test func refusesEmptyAndOverlongApplicationProtocols() {
        for name in ["", String(repeating: "x", count: 256)] {
            #expect(throws: TLSSetupError.self) {
                try PinnedTLSHandlerFactory(trust: .dangerouslyAcceptAnyCertificate(), applicationProtocols: [name])
            }
        }
    }
}
