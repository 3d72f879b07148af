import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import HoldfastWebSocket

/// Little that becomes much, in every shape: each costs what its limit allows, and has its own error.
@Suite struct CompressionBombTests {
    /// Zeros, compressed as a whole.
    private func bomb(_ size: Int) throws -> [UInt8] {
        var deflater = Deflater(windowBits: 15, keepsContext: false, level: 9)
        let zeros = [UInt8](repeating: 0, count: size)
        return try #require(try zeros.withUnsafeBytes { try deflater.compress($0) })
    }

    @Test(arguments: WebSocketRole.allCases)
    func aMessageThatGrowsTooMuchIsRefusedByItsRatio(role: WebSocketRole) throws {
        let bytes = try bomb(8 << 20)
        #expect(bytes.count < 10_000)
        var bench = MachineBench(role, CompressedMessageTests.settings())
        bench.receive(bench.wire.frame(Wire.binary, bytes, reserved: 4))
        #expect(bench.violation == .compressionRatioTooHigh)
        #expect(bench.ends.first?.error?.code == .limitExceeded)
        #expect(bench.closes == [1009])
        // Up to a mebibyte the ratio is nobody's business, and a laxer limit is a laxer limit.
        var small = MachineBench(role, CompressedMessageTests.settings())
        small.receive(small.wire.frame(Wire.binary, try bomb(1 << 20), reserved: 4))
        #expect(small.messages.first?.byteCount == 1 << 20)
        var lax = MachineBench(role, CompressedMessageTests.settings(ratio: 2000))
        lax.receive(lax.wire.frame(Wire.binary, bytes, reserved: 4))
        #expect(lax.messages.first?.byteCount == 8 << 20)
    }

    @Test(arguments: WebSocketRole.allCases)
    func aMessageThatBecomesTooLargeIsRefusedByItsSize(role: WebSocketRole) throws {
        let limits = WebSocketLimits(maximumMessageSize: 100_000)
        var fitting = MachineBench(role, CompressedMessageTests.settings(limits: limits))
        fitting.receive(fitting.wire.frame(Wire.binary, try bomb(100_000), reserved: 4))
        #expect(fitting.messages.first?.byteCount == 100_000)
        for size in [100_001, 5 << 20] {
            var bench = MachineBench(role, CompressedMessageTests.settings(limits: limits, ratio: 10_000))
            bench.receive(bench.wire.frame(Wire.binary, try bomb(size), reserved: 4))
            #expect(bench.violation == .inflatedMessageTooLarge)
            #expect(bench.closes == [1009])
        }
        // However it is cut into fragments.
        var cut = MachineBench(role, CompressedMessageTests.settings(limits: limits, ratio: 10_000))
        let bytes = try bomb(200_000)
        for (index, byte) in bytes.enumerated() {
            cut.receive(
                cut.wire.frame(
                    index == 0 ? Wire.binary : Wire.continuation, [byte], final: false, reserved: index == 0 ? 4 : 0))
        }
        #expect(cut.violation == .inflatedMessageTooLarge)
    }

    /// The wire size has its limits, too: a frame's, and the number of fragments.
    @Test func compressedFramesHaveTheLimitsOfFrames() {
        let limits = WebSocketLimits(maximumFrameSize: 10, maximumFragments: 3)
        var long = MachineBench(.server, CompressedMessageTests.settings(limits: limits))
        long.receive(Wire.header(Wire.binary, length: 11, reserved: 4, masked: true))
        #expect(long.violation == .frameTooLarge)
        var many = MachineBench(.server, CompressedMessageTests.settings(limits: limits))
        many.receive(many.wire.frame(Wire.binary, final: false, reserved: 4))
        for _ in 0..<3 { many.receive(many.wire.frame(Wire.continuation, final: false)) }
        #expect(many.violation == .tooManyFragments)
    }

    /// Many small bombs in one read: no more of them is inflated than the mailbox holds.
    @Test(arguments: WebSocketRole.allCases)
    func manyMessagesAtOnceAreInflatedAsTheReaderTakesThem(role: WebSocketRole) async throws {
        let count = 50
        let settings = WebSocketSettings(
            limits: WebSocketLimits(receiveBuffer: 1 << 20), deflate: DeflateAgreement(WebSocketDeflate()))
        let tested = try await TestedConnection(role, settings: settings)
        let frame = tested.wire.frame(Wire.binary, try bomb(1 << 20), reserved: 4)
        try await tested.receive((0..<count).flatMap { _ in frame })
        let waiting = tested.connection.link.state.withLock { $0.mailbox.waitingBytes }
        #expect(waiting > 0 && waiting <= 3 << 20)
        // Nothing is lost by it.
        var iterator = tested.connection.messages.makeAsyncIterator()
        for _ in 0..<count {
            #expect(try await iterator.next()?.byteCount == 1 << 20)
            #expect(tested.connection.link.state.withLock { $0.mailbox.waitingBytes } <= 3 << 20)
        }
        try await tested.receive(tested.wire.close(1000))
        #expect(try await iterator.next() == nil)
        #expect(tested.connection.closure?.isClean == true)
    }

    /// The end of the socket changes nothing about that: what has arrived is inflated as the reader takes it.
    @Test(arguments: WebSocketRole.allCases, [false, true])
    func hangingUpDoesNotGetPastAFullMailbox(role: WebSocketRole, isHalf: Bool) async throws {
        let count = 50
        let settings = WebSocketSettings(
            limits: WebSocketLimits(receiveBuffer: 1 << 20), deflate: DeflateAgreement(WebSocketDeflate()))
        let tested = try await TestedConnection(role, settings: settings)
        let connection = tested.connection
        let frame = tested.wire.frame(Wire.binary, try bomb(1 << 20), reserved: 4)
        try await tested.receive((0..<count / 2).flatMap { _ in frame })
        // More may come in the same turn as the end, as whole frames.
        for _ in 0..<count / 2 { try await tested.receive(frame) }
        if isHalf {
            tested.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        } else {
            try await tested.channel.close().get()
        }
        await tested.advance(.seconds(1))
        #expect(connection.link.state.withLock { $0.mailbox.waitingBytes } <= 3 << 20)
        #expect(connection.closure == nil)
        if !isHalf {
            let sending = await #expect(throws: WebSocketError.self) { try await connection.send(.text("late")) }
            #expect(sending?.code == .closed)
            let pinging = await #expect(throws: WebSocketError.self) { try await connection.ping() }
            #expect(pinging?.code == .closed)
        }
        // Nothing is lost by it, and the end comes behind it all.
        var iterator = connection.messages.makeAsyncIterator()
        for _ in 0..<count {
            #expect(try await iterator.next()?.byteCount == 1 << 20)
            #expect(connection.link.state.withLock { $0.mailbox.waitingBytes } <= 3 << 20)
        }
        let error = await #expect(throws: WebSocketError.self) { try await iterator.next() }
        #expect(error?.code == .connectionLost)
        try await tested.channel.closeFuture.get()
        await connection.close()
    }

    /// Whoever gives up on what waits behind the end of the socket gets an end at once.
    @Test(arguments: [false, true])
    func closingDropsWhatTheLostSocketHasBrought(isHalf: Bool) async throws {
        let settings = WebSocketSettings(
            limits: WebSocketLimits(receiveBuffer: 1000), deflate: DeflateAgreement(WebSocketDeflate()))
        let tested = try await TestedConnection(.server, settings: settings)
        let connection = tested.connection
        let frame = tested.wire.frame(Wire.binary, try bomb(1 << 20), reserved: 4)
        try await tested.receive(frame + frame + frame)
        if isHalf {
            tested.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        } else {
            try await tested.channel.close().get()
        }
        await tested.advance(.seconds(1))
        await connection.close()
        #expect(connection.closure?.isClean == false)
        let seen = try await connection.messages.reduce(0) { count, _ in count + 1 }
        #expect(seen == 1)
        #expect(connection.link.state.withLock { $0.isTransportClosed })
    }

    /// What has arrived when the connection breaks is still delivered, however much it is.
    @Test func theEndOfTheSocketDoesNotSwallowWhatCameBefore() async throws {
        let settings = WebSocketSettings(
            limits: WebSocketLimits(receiveBuffer: 1000), deflate: DeflateAgreement(WebSocketDeflate()))
        let tested = try await TestedConnection(.client, settings: settings)
        let frame = tested.wire.frame(Wire.binary, try bomb(10_000), reserved: 4)
        try await tested.receive(frame + frame + frame + tested.wire.close(1000))
        try await tested.channel.close().get()
        var count = 0
        for try await message in tested.connection.messages { count += message.byteCount }
        #expect(count == 30_000)
        #expect(tested.connection.closure?.isClean == true)
    }

    /// A part is handed over before the whole is inflated, and the limits hold all the same.
    @Test(arguments: WebSocketRole.allCases)
    func partsOfABombAreBounded(role: WebSocketRole) throws {
        var settings = CompressedMessageTests.settings(limits: WebSocketLimits(maximumMessageSize: 1 << 30))
        settings.deliversParts = true
        var bench = MachineBench(role, settings)
        bench.receive(bench.wire.frame(Wire.binary, try bomb(32 << 20), reserved: 4))
        #expect(bench.violation == .compressionRatioTooHigh)
        #expect(bench.parts.reduce(0) { $0 + $1.bytes.count } <= 6 << 20)
    }

    /// Streams without content, thousands of them: the cost is that of their bytes.
    @Test func manyEndsOfStreamsAreCheap() {
        var bench = MachineBench(.server, CompressedMessageTests.settings(context: true))
        let ends = (0..<100_000).flatMap { _ in [0x03, 0x00] as [UInt8] }
        bench.receive(bench.wire.frame(Wire.text, ends, reserved: 4))
        #expect(bench.messages == [.text("")])
    }
}
