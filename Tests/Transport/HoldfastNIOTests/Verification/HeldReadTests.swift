import HoldfastTestSupport
import HoldfastTransportTestSupport
import HoldfastTrust
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import HoldfastNIO

/// Tests that nothing is read during an evaluation, so that an attacker on the network cannot fill the memory.
@Suite(.timeLimit(.minutes(1))) struct HeldReadTests {
    /// Answers when the test triggers it.
    private struct Patient: ServerTrustEvaluator {
        let asked = Trigger()
        let answer = Trigger()

        func evaluate(_ trust: ServerTrust, forHost host: String) async throws {
            asked.fire()
            await answer.wait()
        }
    }

    /// Takes the place of the socket and counts read requests.
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
        // The verdict exists before the event loop is notified.
        while counter.reads == before { await pair.loop.run() }
        #expect(counter.reads == before + 1)
        try await pair.exchange()
        _ = try await pair.handshake.outcome.get()
        // After the verdict, reads pass through.
        try await read(pair)
        #expect(counter.reads == before + 2)
    }

    @Test func readsContinueAfterTheDeadline() async throws {
        let patient = Patient()
        let (pair, counter) = try await judging(patient)
        let before = counter.reads
        try await read(pair)
        await pair.loop.advanceTime(by: .seconds(30))
        await #expect(throws: TrustRefusal.self) { try await pair.handshake.outcome.get() }
        #expect(counter.reads <= before + 1)
        patient.answer.fire()
    }

    /// The end of the connection is noticed at the latest with the verdict.
    @Test func noticesTheEndAfterTheVerdict() async throws {
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

    /// Refuses more bytes than a handshake may need, in any form.
    @Test func refusesTooManyHandshakeBytes() async throws {
        let pair = try await TLSPair(nil, trust: .system(anchors: .only([])))
        // A server does not send empty handshake records, and the library accepts each one.
        try await pair.client.writeInbound(ByteBuffer(repeating: 22, count: ServerHelloObserver.limit + 1))
        let error = await #expect(throws: HandshakeFailure.self) { try await pair.handshake.outcome.get() }
        #expect(error?.code == .tooLarge)
        await pair.loop.run()
        #expect(!pair.client.isActive)
    }

    /// The limit applies to the handshake, not to later data.
    @Test func doesNotCountDataAfterTheHandshake() async throws {
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
