import HTTPTypes
import HoldfastNIO
import HoldfastTrust
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import HoldfastTransport

/// Bytes that a server sends before the request, while the new connection holds back what it reads.
@Suite(.timeLimit(.minutes(1))) struct EarlyBytesTests {
    /// Returns connections on which the server has already sent bytes.
    private final class EarlyDialler: Dialler {
        let loop = NIOAsyncTestingEventLoop()
        private let bytes: String
        private let count: Int
        private let opened = Mutex<[NIOAsyncTestingChannel]>([])
        var channels: [NIOAsyncTestingChannel] { opened.withLock { $0 } }

        /// On the first `count` connections the server sends `bytes`.
        init(_ bytes: String, count: Int = .max) {
            self.bytes = bytes
            self.count = count
        }

        func dial(
            _ target: DialTarget, deadlines: DialDeadlines, on loop: any EventLoop
        ) -> EventLoopFuture<Dialled> {
            let channel = NIOAsyncTestingChannel(loop: self.loop)
            let isEarly = opened.withLock { channels in
                channels.append(channel)
                return channels.count <= count
            }
            return loop.makeCompletedFuture { try SocketAddress(ipAddress: "127.0.0.1", port: 1) }
                .flatMap { channel.connect(to: $0) }
                .flatMapThrowing {
                    let hold = ReadHold()
                    try channel.pipeline.syncOperations.addHandler(hold)
                    hold.close()
                    if isEarly { channel.pipeline.fireChannelRead(ByteBuffer(string: self.bytes)) }
                    return Dialled(
                        id: TransportConnectionID.next(), channel: channel, facts: ConnectionFacts(remoteAddress: ""),
                        hold: NIOLoopBound(hold, eventLoop: loop))
                }
        }

        func hasJudged(_ id: TransportConnectionID) -> Bool { true }
        func judgeAgain(_ id: TransportConnectionID, on loop: any EventLoop) -> EventLoopFuture<Void> {
            loop.makeSucceededVoidFuture()
        }
    }

    private static let poison = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison"

    private func answer(_ dialler: EarlyDialler) async throws -> Exchange.Answer {
        let request = try PreparedRequest(.plain(port: 1), body: .absent)
        let pool = OriginPool(
            target: request.target, configuration: .forPlainServers, dialler: dialler,
            budget: ConnectionBudget(limit: 9), loops: dialler.loop)
        let exchange = Exchange(
            request: request, options: RequestOptions(), sink: .collect(limit: 99), deadline: nil)
        return try await exchange.answer(from: pool)
    }

    @Test(arguments: [poison, "H", "HTTP/1.1 200 OK\r\nX-Pad: "])
    func earlyBytesAreNotAResponse(bytes: String) async throws {
        let dialler = EarlyDialler(bytes)
        let error = try await transportError { _ = try await answer(dialler) }
        #expect(error.code == .malformedResponse)
        #expect(error.defect == .unexpectedBytes)
        // The client does not retry forever.
        #expect(dialler.channels.count == Exchange.maximumAttempts)
        await dialler.loop.run()
        for channel in dialler.channels {
            #expect(try await channel.readOutbound(as: ByteBuffer.self) == nil)
            #expect(!channel.isActive)
        }
    }

    /// No byte of the request was sent, so it may be sent on a different connection.
    @Test func theRequestUsesAnotherConnection() async throws {
        let dialler = EarlyDialler(Self.poison, count: 1)
        async let answer = answer(dialler)
        while dialler.channels.count < 2 { await Task.yield() }
        let second = dialler.channels[1]
        _ = try await second.waitForOutboundWrite(as: ByteBuffer.self)
        try await second.writeInbound(ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nright"))
        #expect(String(decoding: try await answer.body, as: UTF8.self) == "right")
        #expect(try await dialler.channels[0].readOutbound(as: ByteBuffer.self) == nil)
    }
}
