import NIOCore
import NIOEmbedded
import NIOTLS
import Testing

@testable import HoldfastWebSocket

/// Tests the choice between HTTP/2 and the first request of a connection.
@Suite struct NegotiatedProtocolTests {
    private let channel = EmbeddedChannel()

    /// Returns the protocol that is set up; `nil` if the connection ends before.
    private func choice(_ events: (EmbeddedChannel) throws -> Void) throws -> String? {
        let upgrader = WebSocketUpgrader { _, loop in loop.makeSucceededFuture(.pass) }
        let outcome = try upgrader.configure(channel) {
            $0.eventLoop.makeSucceededFuture("HTTP/2")
        } http: {
            $0.eventLoop.makeSucceededFuture("HTTP/1.1")
        }
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try events(channel)
        guard case .http(let name) = try outcome.wait() else { return nil }
        return name
    }

    private static func agree(on name: String?, _ channel: EmbeddedChannel) {
        channel.pipeline.fireUserInboundEventTriggered(TLSUserEvent.handshakeCompleted(negotiatedProtocol: name))
    }

    @Test func http2IsSetUpBeforeTheFirstRequest() throws {
        let name = try choice { Self.agree(on: "h2", $0) }
        #expect(name == "HTTP/2")
    }

    @Test("Without HTTP/2, the first request decides", arguments: ["http/1.1", nil])
    func http1(agreed: String?) throws {
        let name = try choice { channel in
            Self.agree(on: agreed, channel)
            try channel.writeInbound(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
        }
        #expect(name == "HTTP/1.1")
    }

    @Test func aHandshakeThatDoesNotEndEndsTheConnection() throws {
        let name = try choice { channel in
            channel.embeddedEventLoop.advanceTime(by: .seconds(9))
            #expect(channel.isActive)
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        }
        #expect(name == nil)
        #expect(!channel.isActive)
    }

    @Test func aClientThatIsSilentAfterTheHandshakeIsLeftToHTTP() throws {
        let name = try choice { channel in
            Self.agree(on: "http/1.1", channel)
            channel.embeddedEventLoop.advanceTime(by: .seconds(10))
        }
        #expect(name == "HTTP/1.1")
        #expect(channel.isActive)
    }
}
