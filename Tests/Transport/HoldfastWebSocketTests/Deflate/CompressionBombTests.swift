import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import HoldfastWebSocket

/// Tests decompression bombs of every form: each is bounded by a limit and causes a specific error.
@Suite struct CompressionBombTests {
    /// Returns `size` zeros, compressed as one message.
    private func bomb(_ size: Int) throws -> [UInt8] {
        var deflater = Deflater(windowBits: 15, keepsContext: false, level: 9)
        let zeros = [UInt8](repeating: 0, count: size)
        return try #require(try zeros.withUnsafeBytes { try deflater.compress($0) })
    }

    @Test(arguments: WebSocketRole.allCases)
    func refusesAMessageAboveTheRatioLimit(role: WebSocketRole) throws {
        let bytes = try bomb(8 << 20)
        #expect(bytes.count < 10_000)
        var bench = MachineBench(role, CompressedMessageTests.settings())
        bench.receive(bench.wire.frame(Wire.binary, bytes, reserved: 4))
        #expect(bench.violation == .compressionRatioTooHigh)
        #expect(bench.ends.first?.error?.code == .limitExceeded)
        #expect(bench.closes == [1009])
        // Up to one mebibyte the ratio is not checked. A higher limit accepts more.
        var small = MachineBench(role, CompressedMessageTests.settings())
        small.receive(small.wire.frame(Wire.binary, try bomb(1 << 20), reserved: 4))
        #expect(small.messages.first?.byteCount == 1 << 20)
        var lax = MachineBench(role, CompressedMessageTests.settings(ratio: 2000))
        lax.receive(lax.wire.frame(Wire.binary, bytes, reserved: 4))
        #expect(lax.messages.first?.byteCount == 8 << 20)
    }

    @Test(arguments: WebSocketRole.allCases)
    func refusesAMessageAboveTheSizeLimit(role: WebSocketRole) throws {
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
        // The limit applies to all fragmentations.
        var cut = MachineBench(role, CompressedMessageTests.settings(limits: limits, ratio: 10_000))
        let bytes = try bomb(200_000)
        for (index, byte) in bytes.enumerated() {
            cut.receive(
                cut.wire.frame(
                    index == 0 ? Wire.binary : Wire.continuation, [byte], final: false, reserved: index == 0 ? 4 : 0))
        }
        #expect(cut.violation == .inflatedMessageTooLarge)
    }

    /// The limits for the frame size on the wire and for the number of fragments also apply.
    @Test func appliesFrameLimitsToCompressedFrames() {
        let limits = WebSocketLimits(maximumFrameSize: 10, maximumFragments: 3)
        var long = MachineBench(.server, CompressedMessageTests.settings(limits: limits))
        long.receive(Wire.header(Wire.binary, length: 11, reserved: 4, masked: true))
        #expect(long.violation == .frameTooLarge)
        var many = MachineBench(.server, CompressedMessageTests.settings(limits: limits))
        many.receive(many.wire.frame(Wire.binary, final: false, reserved: 4))
        for _ in 0..<3 { many.receive(many.wire.frame(Wire.continuation, final: false)) }
        #expect(many.violation == .tooManyFragments)
    }

    /// Of many small bombs in one read, no more are decompressed than the mailbox holds.
    @Test(arguments: WebSocketRole.allCases)
    func decompressesAsTheReaderTakesMessages(role: WebSocketRole) async throws {
        let count = 50
        let settings = WebSocketSettings(
            limits: WebSocketLimits(receiveBuffer: 1 << 20), deflate: DeflateAgreement(WebSocketDeflate()))
        let tested = try await TestedConnection(role, settings: settings)
        let frame = tested.wire.frame(Wire.binary, try bomb(1 << 20), reserved: 4)
        try await tested.receive((0..<count).flatMap { _ in frame })
        let waiting = tested.connection.link.state.withLock { $0.mailbox.waitingBytes }
        #expect(waiting > 0 && waiting <= 3 << 20)
        // No message is lost.
        var iterator = tested.connection.messages.makeAsyncIterator()
        for _ in 0..<count {
            #expect(try await iterator.next()?.byteCount == 1 << 20)
            #expect(tested.connection.link.state.withLock { $0.mailbox.waitingBytes } <= 3 << 20)
        }
        try await tested.receive(tested.wire.close(1000))
        #expect(try await iterator.next() == nil)
        #expect(tested.connection.closure?.isClean == true)
    }

    /// The end of the socket does not change this: received data is decompressed at the reader's pace.
    @Test(arguments: WebSocketRole.allCases, [false, true])
    func disconnectingDoesNotBypassAFullMailbox(role: WebSocketRole, isHalf: Bool) async throws {
        let count = 50
        let settings = WebSocketSettings(
            limits: WebSocketLimits(receiveBuffer: 1 << 20), deflate: DeflateAgreement(WebSocketDeflate()))
        let tested = try await TestedConnection(role, settings: settings)
        let connection = tested.connection
        let frame = tested.wire.frame(Wire.binary, try bomb(1 << 20), reserved: 4)
        try await tested.receive((0..<count / 2).flatMap { _ in frame })
        // More whole frames may arrive in the same turn as the end.
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
        // No message is lost, and the end follows all of them.
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

    /// Closing with unread data after the end of the socket ends the messages immediately.
    @Test(arguments: [false, true])
    func closingDropsUnreadDataOfALostSocket(isHalf: Bool) async throws {
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

    /// Data received before the connection is lost is still delivered, regardless of its size.
    @Test func deliversDataReceivedBeforeTheEnd() async throws {
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

    /// Parts are delivered before the whole message is decompressed, and the limits still apply.
    @Test(arguments: WebSocketRole.allCases)
    func limitsTheSizeOfABombsParts(role: WebSocketRole) throws {
        var settings = CompressedMessageTests.settings(limits: WebSocketLimits(maximumMessageSize: 1 << 30))
        settings.deliversParts = true
        var bench = MachineBench(role, settings)
        bench.receive(bench.wire.frame(Wire.binary, try bomb(32 << 20), reserved: 4))
        #expect(bench.violation == .compressionRatioTooHigh)
        #expect(bench.parts.reduce(0) { $0 + $1.bytes.count } <= 6 << 20)
    }

    /// Thousands of empty streams cost no more than their bytes.
    @Test func emptyStreamsAreCheap() {
        var bench = MachineBench(.server, CompressedMessageTests.settings(context: true))
        let ends = (0..<100_000).flatMap { _ in [0x03, 0x00] as [UInt8] }
        bench.receive(bench.wire.frame(Wire.text, ends, reserved: 4))
        #expect(bench.messages == [.text("")])
    }
}
