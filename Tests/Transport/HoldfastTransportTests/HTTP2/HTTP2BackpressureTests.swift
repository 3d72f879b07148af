import HTTPTypes
import HoldfastNIO
import HoldfastTransportTestSupport
import NIOCore
import NIOEmbedded
import NIOHTTP2
import Synchronization
import Testing

@testable import HoldfastTransport

/// What is buffered: requests whose heads the library holds back because the socket is not writable, and frames for
/// paused readers.
@Suite struct HTTP2BackpressureTests {
    /// Channels without a peer. The first becomes unwritable when a test says so.
    private final class Wires: Dialler {
        let loop = EmbeddedEventLoop()
        private let opened = Mutex<[(channel: EmbeddedChannel, reader: WireFrameReader)]>([])
        var count: Int { opened.withLock { $0.count } }

        func dial(
            _ target: DialTarget, deadlines: DialDeadlines, on loop: any EventLoop
        ) -> EventLoopFuture<Dialled> {
            loop.makeCompletedFuture {
                let hold = ReadHold()
                let channel = EmbeddedChannel(handler: hold, loop: self.loop)
                opened.withLock { $0.append((channel, WireFrameReader())) }
                channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
                return Dialled(
                    id: TransportConnectionID.next(), channel: channel, facts: ConnectionFacts(remoteAddress: ""),
                    hold: NIOLoopBound(hold, eventLoop: loop))
            }
        }

        func hasJudged(_ id: TransportConnectionID) -> Bool { true }
        func judgeAgain(_ id: TransportConnectionID, on loop: any EventLoop) -> EventLoopFuture<Void> {
            loop.makeSucceededVoidFuture()
        }

        func channel(_ number: Int) -> EmbeddedChannel { opened.withLock { $0[number].channel } }

        /// Returns the frames that were sent since the last call.
        func sent(_ number: Int) throws -> [RawHTTP2Frame] {
            var frames: [RawHTTP2Frame] = []
            while let buffer = try channel(number).readOutbound(as: ByteBuffer.self) {
                frames += opened.withLock { $0[number].reader.take(Array(buffer.readableBytesView)) }
            }
            return frames
        }

        func receive(_ number: Int, _ frames: [RawHTTP2Frame]) throws {
            try channel(number).writeInbound(ByteBuffer(bytes: frames.flatMap(\.bytes)))
            loop.run()
        }

        func setWritable(_ number: Int, _ isWritable: Bool) {
            channel(number).isWritable = isWritable
            channel(number).pipeline.fireChannelWritabilityChanged()
            loop.run()
        }
    }

    private let wires = Wires()
    private let pool: OriginPool
    private let request: PreparedRequest

    init() throws {
        request = try PreparedRequest(.plain(.post, port: 1), body: .absent)
        pool = OriginPool(
            target: request.target, configuration: .plain(.http2), dialler: wires, budget: ConnectionBudget(limit: 9),
            loops: wires.loop)
    }

    /// Starts a request on the next stream.
    private func submit(_ sink: ExchangeMachine.Sink = .collect(limit: 99)) -> Exchange {
        let exchange = Exchange(request: request, options: RequestOptions(), sink: sink, deadline: nil)
        #expect(exchange.begin(nil, in: pool) == nil)
        pool.submit(exchange)
        wires.loop.run()
        return exchange
    }

    /// Starts two requests: the head of the first is sent, the head of the second is held back.
    private func sentAndHeldBack() throws -> (Exchange, Exchange) {
        let first = submit()
        try wires.receive(0, [.settings(), .settingsAck])
        #expect(try wires.sent(0).filter(\.isHead).map(\.stream) == [1])
        wires.setWritable(0, false)
        let second = submit()
        #expect(try wires.sent(0).isEmpty)
        #expect(wires.count == 1)
        return (first, second)
    }

    private func text(_ exchange: Exchange) -> String? {
        try? exchange.outcome.map { String(decoding: try $0.get().body, as: UTF8.self) }
    }

    private func code(_ exchange: Exchange) -> TransportError.Code? {
        if case .failure(let error)? = exchange.outcome { (error as? TransportError)?.code } else { nil }
    }

    /// After a GOAWAY, even one that includes all streams, unsent requests use a different connection. Sent requests
    /// continue.
    @Test(arguments: [1, 0x7FFF_FFFF] as [UInt32])
    func aHeadThatIsHeldBackIsSentElsewhere(last: UInt32) throws {
        let (first, second) = try sentAndHeldBack()
        let third = submit()
        try wires.receive(0, [.goAway(last: last)])
        wires.loop.run()
        for number in 1..<wires.count {
            let streams = try wires.sent(number).filter(\.isHead).map(\.stream)
            try wires.receive(
                number, [.settings(), .settingsAck] + streams.flatMap { FrameServer.ok($0, "elsewhere") })
        }
        #expect(text(second) == "elsewhere")
        #expect(text(third) == "elsewhere")
        // The first connection gets no frame of either request.
        wires.setWritable(0, true)
        try wires.receive(0, FrameServer.ok(1, "first"))
        #expect(text(first) == "first")
        #expect(try wires.sent(0).allSatisfy { $0.stream <= 1 && !$0.isReset })
    }

    /// When the connection is lost, unsent requests may be sent again, whatever their method.
    @Test func aHeadThatIsHeldBackOutlivesItsConnection() throws {
        let (first, second) = try sentAndHeldBack()
        wires.channel(0).close(promise: nil)
        wires.loop.run()
        #expect(code(first) == .connectionClosed)
        #expect(wires.count == 2)
        try wires.receive(1, [.settings(), .settingsAck] + FrameServer.ok(1, "second"))
        #expect(text(second) == "second")
    }

    /// If the library cannot send a frame and does not report its stream, the connection ends, because a caller waits
    /// for the response.
    @Test func anUnsendableFrameEndsTheConnection() throws {
        let (first, second) = try sentAndHeldBack()
        let harmless: [any Error] = [
            NIOHTTP2Errors.createdStreamAfterGoaway(), NIOHTTP2Errors.noSuchStream(streamID: 1),
        ]
        for error in harmless { wires.channel(0).pipeline.fireErrorCaught(error) }
        wires.loop.run()
        #expect(wires.channel(0).isActive)
        #expect(code(first) == nil)
        wires.channel(0).pipeline.fireErrorCaught(NIOHTTP2Errors.maxStreamsViolation())
        wires.loop.run()
        #expect(!wires.channel(0).isActive)
        #expect(code(first) == .connectionClosed)
        try wires.receive(1, [.settings(), .settingsAck] + FrameServer.ok(1, "second"))
        #expect(text(second) == "second")
    }

    /// The reset of a stream that was never opened is not sent.
    @Test func anIdleStreamIsNotReset() throws {
        let channel = EmbeddedChannel(handler: FrameGuard(limits: TransportLimits()))
        var reader = WireFrameReader()
        let frames: [RawHTTP2Frame] = [.head(5, []), .reset(7, 8), .reset(3, 8), .ping, .reset(5, 8)]
        var promises: [EventLoopFuture<Void>] = []
        channel.pipeline.write(IOData.byteBuffer(ByteBuffer(repeating: 0, count: 24)), promise: nil)
        for frame in frames {
            promises.append(channel.write(IOData.byteBuffer(ByteBuffer(bytes: frame.bytes))))
        }
        channel.flush()
        var sent: [RawHTTP2Frame] = []
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) {
            sent += reader.take(Array(buffer.readableBytesView))
        }
        #expect(sent == [.head(5, []), .reset(3, 8), .ping, .reset(5, 8)])
        for promise in promises { try promise.wait() }
        _ = try channel.finish()
    }

    // MARK: Small frames

    private static func small(_ count: Int, _ stream: UInt32 = 1) -> [RawHTTP2Frame] {
        Array(repeating: .data(stream, [1]), count: count)
    }

    /// A response whose reader pauses.
    private func paused() throws -> Exchange {
        let exchange = submit(.stream(highWater: 10_000))
        try wires.receive(0, [.settings(), .settingsAck, .head(1, [(":status", "200")])])
        try wires.receive(0, [.data(1, Array(repeating: 0, count: 16_384))])
        return exchange
    }

    /// The number of small frames in the buffer is limited, even if they contain few bytes.
    @Test func smallFramesForAPausedReaderAreLimited() throws {
        let exchange = try paused()
        try wires.receive(0, Self.small(16_384))
        #expect(wires.channel(0).isActive)
        try wires.receive(0, Self.small(1))
        #expect(!wires.channel(0).isActive)
        #expect(code(exchange) == .tooManyFrames)
    }

    /// A reader that keeps reading may receive any number of small frames.
    @Test func smallFramesForAReaderAreUnlimited() throws {
        let exchange = try paused()
        for _ in 0..<3 {
            try wires.receive(0, Self.small(16_384))
            #expect(exchange.takeWaiting() != nil)
            wires.loop.run()
        }
        #expect(wires.channel(0).isActive)
        #expect(code(exchange) == nil)
    }

    @Test func theBufferedFramesOfAConnectionAreLimited() throws {
        func header(_ frame: RawHTTP2Frame) throws -> HTTP2FrameHeader {
            try #require(HTTP2FrameHeader(ByteBuffer(bytes: frame.bytes), at: 0))
        }
        var frames = WaitingFrames(perStream: 2, perConnection: 3)
        for stream: UInt32 in [1, 3] { frames.paused(stream) }
        for stream: UInt32 in [1, 1, 3, 5, 5, 5, 0] { try frames.received(header(.data(stream, [1]))) }
        #expect(throws: TransportError.self) { try frames.received(header(.data(3, [1]))) }
        // Pausing twice has the same effect as pausing once.
        frames.paused(1)
        frames.resumed(3)
        frames.resumed(3)
        #expect(throws: TransportError.self) { try frames.received(header(.data(1, [1]))) }
        frames.resumed(1)
        frames.paused(1)
        for _ in 0..<2 { try frames.received(header(.data(1, [1]))) }
        #expect(throws: TransportError.self) { try frames.received(header(.data(1, [1]))) }
    }
}
