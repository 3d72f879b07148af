import NIOCore
import NIOEmbedded
import Testing

@testable import HoldfastTransport

/// Tests that frames of one turn of the event loop share one write, and that nothing is kept back longer.
@Suite struct FrameGuardFlushTests {
    private let channel: EmbeddedChannel

    init() throws {
        channel = EmbeddedChannel(handler: FrameGuard(limits: TransportLimits()))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 443)).wait()
        // The connection preface, which is followed by an empty SETTINGS frame.
        channel.pipeline.write(IOData.byteBuffer(ByteBuffer(repeating: 0, count: 24)), promise: nil)
        send(type: 4, stream: 0)
        #expect(written == [33])
    }

    /// Writes and flushes one frame.
    private func send(type: UInt8, stream: UInt32, length: Int = 0) {
        var frame = ByteBuffer()
        frame.writeInteger(UInt8(length >> 16))
        frame.writeInteger(UInt16(truncatingIfNeeded: length))
        frame.writeInteger(type)
        frame.writeInteger(UInt8(0))
        frame.writeInteger(stream)
        frame.writeRepeatingByte(0, count: length)
        channel.pipeline.writeAndFlush(IOData.byteBuffer(frame), promise: nil)
    }

    /// The sizes of the flushed writes since the last call.
    private var written: [Int] {
        var sizes: [Int] = []
        while let buffer = try? channel.readOutbound(as: ByteBuffer.self) { sizes.append(buffer.readableBytes) }
        return sizes
    }

    @Test func headsOfOneTurnShareAWrite() {
        for stream: UInt32 in [1, 3, 5] { send(type: 1, stream: stream, length: 20) }
        #expect(written.isEmpty)
        channel.embeddedEventLoop.run()
        #expect(written == [87])
        channel.embeddedEventLoop.run()
        #expect(written.isEmpty)
        send(type: 1, stream: 7, length: 20)
        channel.embeddedEventLoop.run()
        #expect(written == [29])
    }

    @Test func atMostEightHeadsWait() {
        for number: UInt32 in 0..<7 { send(type: 1, stream: 2 * number + 1, length: 20) }
        #expect(written.isEmpty)
        send(type: 1, stream: 15, length: 20)
        #expect(written == [232])
        send(type: 1, stream: 17, length: 20)
        #expect(written.isEmpty)
        channel.embeddedEventLoop.run()
        #expect(written == [29])
    }

    /// A reset, a settings frame, a ping, a farewell and a window update.
    @Test(arguments: [UInt8(3), 4, 6, 7, 8])
    func otherFramesAreNotKeptBack(type: UInt8) {
        send(type: 1, stream: 1, length: 20)
        send(type: type, stream: type == 3 ? 1 : 0, length: 4)
        #expect(written == [42])
        channel.embeddedEventLoop.run()
        #expect(written.isEmpty)
    }

    @Test func aFullRecordIsNotKeptBack() {
        send(type: 1, stream: 1, length: 20)
        send(type: 0, stream: 1, length: 8 * 1_024)
        #expect(written.isEmpty)
        send(type: 0, stream: 1, length: 8 * 1_024)
        let frame = 8 * 1_024 + 9
        #expect(written.reduce(0, +) == 29 + frame + frame)
    }

    @Test func closingFlushesFirst() {
        send(type: 1, stream: 1, length: 20)
        channel.close(promise: nil)
        #expect(written == [29])
        channel.embeddedEventLoop.run()
    }

    /// A turn that ends after the handler has left the pipeline must not use it.
    @Test func aClosedConnectionIsNotFlushed() throws {
        send(type: 1, stream: 1, length: 20)
        channel.pipeline.fireChannelInactive()
        _ = try channel.finish(acceptAlreadyClosed: true)
        channel.embeddedEventLoop.run()
    }
}
