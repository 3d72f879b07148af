import NIOCore
import NIOPosix
import NIOSSL

/// One connection of the client that servers are measured with.
struct PeerConnection: Sendable {
    /// Which key masks: the same bytes every time, so that nothing has to be computed.
    private static let key: UInt32 = 0x5A3C_96E1

    let channel: any Channel
    private let handler: NIOLoopBound<PeerLoad>

    /// Connects and asks for the upgrade.
    static func open(
        port: Int, tls: NIOSSLContext?, deflates: Bool, on group: any EventLoopGroup
    ) async throws -> PeerConnection {
        let loop = group.next()
        let upgraded = loop.makePromise(of: Void.self)
        let connection: PeerConnection
        do {
            connection = try await ClientBootstrap(group: loop)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .connect(host: "127.0.0.1", port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let handler = PeerLoad(upgraded: upgraded)
                        handler.request = request(port, deflates: deflates)
                        if let tls {
                            try channel.pipeline.syncOperations.addHandler(
                                NIOSSLClientHandler(context: tls, serverHostname: Site.host))
                        }
                        try channel.pipeline.syncOperations.addHandler(handler)
                        return PeerConnection(
                            channel: channel, handler: NIOLoopBound(handler, eventLoop: channel.eventLoop))
                    }
                }
        } catch {
            upgraded.fail(error)
            throw error
        }
        try await upgraded.futureResult.get()
        return connection
    }

    static func request(_ port: Int, deflates: Bool) -> ByteBuffer {
        ByteBuffer(
            string: "GET / HTTP/1.1\r\nHost: \(Site.host):\(port)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MTIzNDU2Nzg5MDEyMzQ1Ng==\r\n"
                + (deflates
                    ? "Sec-WebSocket-Extensions: permessage-deflate; client_no_context_takeover; "
                        + "server_no_context_takeover\r\n" : "") + "\r\n")
    }

    /// A frame with these bytes as its payload, masked.
    static func frame(_ firstByte: UInt8, _ payload: ByteBuffer) -> ByteBuffer {
        var frame = ByteBuffer()
        FrameScanner.write(firstByte, length: payload.readableBytes, key: key, to: &frame)
        let start = frame.readableBytes
        frame.writeImmutableBuffer(payload)
        FrameScanner.mask(&frame, from: start, key: key)
        return frame
    }

    /// A frame with a text.
    static func frame(_ text: String) -> ByteBuffer { frame(0x81, ByteBuffer(string: text)) }

    /// Sends a text, and gives the frame that says what came back: compressed, if the server has compressed it.
    func exchange(_ text: String) async throws -> ByteBuffer {
        let frame = Self.frame(text)
        let answer = channel.eventLoop.makePromise(of: (UInt8, ByteBuffer).self)
        channel.eventLoop.execute { handler.value.exchange(frame, answer: answer) }
        let (firstByte, payload) = try await answer.futureResult.get()
        guard firstByte & 0x40 != 0 || payload == ByteBuffer(string: text) else {
            throw WrongEcho(what: "Something else came back.")
        }
        return Self.frame(firstByte, payload)
    }

    /// Sends for so long.
    func run(_ frame: ByteBuffer, window: Int, for duration: Duration) async throws -> Tally {
        let promise = channel.eventLoop.makePromise(of: Tally.self)
        channel.eventLoop.execute {
            handler.value.run(frame, window: window, until: .now() + TimeAmount(duration), finished: promise)
        }
        return try await promise.futureResult.get()
    }
}
