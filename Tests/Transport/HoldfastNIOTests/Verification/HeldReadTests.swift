import HoldfastTestSupport
import HoldfastTransportTestSupport
import HoldfastTrust
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import HoldfastNIO

/// Nothing is read while a certificate is judged: what came then would be kept, as much as whoever is on the way sends.
@Suite(.timeLimit(.minutes(1))) struct HeldReadTests {
    /// Answers when a test says so.
    private struct Patient: ServerTrustEvaluator {
        let asked = Trigger()
        let answer = Trigger()

        func evaluate(_ trust: ServerTrust, forHost host: String) async throws {
            asked.fire()
            await answer.wait()
        }
    }

    /// Stands where the socket would be, and counts what is asked of it.
    private final class ReadCounter: ChannelOutboundHandler, Sendable {
        typealias OutboundIn = ByteBuffer
        private let count = Mutex(0)
        var reads: Int { count.withLock { $0 } }

        func read(context: ChannelHandlerContext) {
            count.withLock { $0 += 1 }
            context.read()
        }
    }

    private func judging(_ patient: Patient) async throws -> (TLSPair, ReadCounter) {
        let factory = CertificateFactory()
        let root = try factory.authority("Root")
        let leaf = try factory.leaf([TLSPair.host], signedBy: root)
        let pair = try await TLSPair(
            leaf, trust: .evaluators([TLSPair.host: patient], anchors: .only([root.view])))
        let counter = ReadCounter()
        try await pair.client.pipeline.addHandler(counter, position: .first).get()
        try await pair.exchange()
        await patient.asked.wait()
        return (pair, counter)
    }

    private func read(_ pair: TLSPair) async throws {
        try await pair.loop.executeInContext { pair.client.pipeline.read() }
    }

    @Test func readsWaitForTheVerdict() async throws {
        let patient = Patient()
        let (pair, counter) = try await judging(patient)
        let before = counter.reads
        for _ in 0..<3 { try await read(pair) }
        #expect(counter.reads == before)
        patient.answer.fire()
        // The verdict is there before the loop hears of it.
        while counter.reads == before { await pair.loop.run() }
        #expect(counter.reads == before + 1)
        try await pair.exchange()
        _ = try await pair.handshake.outcome.get()
        // From here on they pass.
        try await read(pair)
        #expect(counter.reads == before + 2)
    }

    @Test func readsGoOnBehindTheDeadline() async throws {
        let patient = Patient()
        let (pair, counter) = try await judging(patient)
        let before = counter.reads
        try await read(pair)
        await pair.loop.advanceTime(by: .seconds(30))
        await #expect(throws: TrustRefusal.self) { try await pair.handshake.outcome.get() }
        #expect(counter.reads <= before + 1)
        patient.answer.fire()
    }

    /// An end that comes while nothing is read is noticed at the latest with the verdict; nothing waits for ever.
    @Test func anEndIsNotMissed() async throws {
        let patient = Patient()
        let (pair, _) = try await judging(patient)
        try await read(pair)
        try await pair.client.close()
        patient.answer.fire()
        while pair.handshake.gate.verdict == nil { await Task.yield() }
        await pair.loop.run()
        let error = await #expect(throws: HandshakeFailure.self) { try await pair.handshake.outcome.get() }
        #expect(error?.code == .closed)
    }

    /// More than any handshake needs, in whatever form it comes.
    @Test func tooMuchIsRefused() async throws {
        let pair = try await TLSPair(nil, trust: .system(anchors: .only([])))
        // Empty records of the handshake's kind are not what a server sends, and harmless to the library one by one.
        try await pair.client.writeInbound(ByteBuffer(repeating: 22, count: ServerHelloObserver.limit + 1))
        let error = await #expect(throws: HandshakeFailure.self) { try await pair.handshake.outcome.get() }
        #expect(error?.code == .tooLarge)
        await pair.loop.run()
        #expect(!pair.client.isActive)
    }

    /// The limit is on the handshake, not on what follows.
    @Test func whatFollowsIsNotCounted() async throws {
        let patient = Patient()
        let (pair, _) = try await judging(patient)
        patient.answer.fire()
        while pair.handshake.gate.verdict == nil { await Task.yield() }
        await pair.loop.run()
        try await pair.exchange()
        _ = try await pair.handshake.outcome.get()
        let size = 2 * ServerHelloObserver.limit
        try await pair.server.writeAndFlush(ByteBuffer(repeating: 1, count: size))
        try await pair.exchange()
        var count = 0
        while let part = try await pair.client.readInbound(as: ByteBuffer.self) { count += part.readableBytes }
        #expect(count == size)
    }
}
