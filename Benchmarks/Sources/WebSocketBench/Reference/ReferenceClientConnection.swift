import NIOCore
import NIOPosix
import NIOSSL

/// A connection of the reference client, which sends the load to the servers.
struct ReferenceClientConnection: Sendable {
    /// The constant masking key, so that frames are encoded only once.
    private static let key: UInt32 = 0x5A3C_96E1

    let channel: any Channel
    private let handler: NIOLoopBound<ReferenceClientHandler>

    /// Connects and requests the upgrade.
    static func open(
        port: Int, tls: NIOSSLContext?, deflates: Bool, on group: any EventLoopGroup
    ) async throws -> ReferenceClientConnection {
        let loop = group.next()
        let upgraded = loop.makePromise(of: Void.self)
        let connection: ReferenceClientConnection
        do {
            connection = try await ClientBootstrap(group: loop)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .connect(host: "127.0.0.1", port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let handler = ReferenceClientHandler(upgraded: upgraded)
                        handler.request = request(port, deflates: deflates)
                        if let tls {
                            try channel.pipeline.syncOperations.addHandler(
                                NIOSSLClientHandler(context: tls, serverHostname: Site.host))
                        }
                        try channel.pipeline.syncOperations.addHandler(handler)
                        return ReferenceClientConnection(
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

    /// Returns a masked frame with this payload.
    static func frame(_ firstByte: UInt8, _ payload: ByteBuffer) -> ByteBuffer {
        var frame = ByteBuffer()
        FrameScanner.write(firstByte, length: payload.readableBytes, key: key, to: &frame)
        let start = frame.readableBytes
        frame.writeImmutableBuffer(payload)
        FrameScanner.mask(&frame, from: start, key: key)
        return frame
    }

    /// Returns a masked text frame.
    static func frame(_ text: String) -> ByteBuffer { frame(0x81, ByteBuffer(string: text)) }

    /// Sends a text and returns a frame with the echoed payload, which is compressed if the server compressed it.
    func exchange(_ text: String) async throws -> ByteBuffer {
        let frame = Self.frame(text)
        let answer = channel.eventLoop.makePromise(of: (UInt8, ByteBuffer).self)
        channel.eventLoop.execute { handler.value.exchange(frame, answer: answer) }
        let (firstByte, payload) = try await answer.futureResult.get()
        guard firstByte & 0x40 != 0 || payload == ByteBuffer(string: text) else {
            throw WrongEcho(what: "The echo differs from the message.")
        }
        return Self.frame(firstByte, payload)
    }

    /// Sends a frame repeatedly for a duration.
    func run(_ frame: ByteBuffer, window: Int, for duration: Duration) async throws -> Tally {
        let promise = channel.eventLoop.makePromise(of: Tally.self)
        channel.eventLoop.execute {
            handler.value.run(frame, window: window, until: .now() + TimeAmount(duration), finished: promise)
        }
        return try await promise.futureResult.get()
    }
}
