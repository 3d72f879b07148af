import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import NIOCore
import NIOEmbedded
import Testing

/// Requests with `Expect: 100-continue` (RFC 9110, 10.1.1).
@Suite(.timeLimit(.minutes(1))) struct ExpectTests {
    private static let request: HTTPRequest = .plain(.post, port: 1, [.expect: "100-continue"])
    private static let head =
        "POST / HTTP/1.1\r\nHost: 127.0.0.1:1\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n"
    private static let final = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"

    @Test func theBodyFollowsThe100Response() async throws {
        let world = VirtualWorld()
        let client = world.client()
        async let answer = client.collect(Self.request, body: .bytes(Array("body".utf8)), upTo: 9)
        #expect(try await world.request() == Self.head)
        // Other informational responses do not start the body.
        try await world.respond("HTTP/1.1 103 Early Hints\r\n\r\n")
        #expect(try await world.channel().readOutbound(as: ByteBuffer.self) == nil)
        try await world.respond("HTTP/1.1 100 Continue\r\n\r\n")
        #expect(try await world.request() == "body")
        try await world.respond(Self.final)
        #expect(try await answer.text == "x")
    }

    @Test func aSilentServerGetsTheBodyAfterASecond() async throws {
        let world = VirtualWorld()
        let client = world.client()
        async let answer = client.collect(Self.request, body: .bytes(Array("body".utf8)), upTo: 9)
        #expect(try await world.request() == Self.head)
        await world.pass(.milliseconds(999))
        #expect(try await world.channel().readOutbound(as: ByteBuffer.self) == nil)
        await world.pass(.milliseconds(1))
        #expect(try await world.request() == "body")
        try await world.respond(Self.final)
        #expect(try await answer.text == "x")
    }

    /// A server that refuses does not get the body. The connection is closed, because the server may still wait for
    /// the body.
    @Test func aRefusalIsTheResponse() async throws {
        let world = VirtualWorld()
        let client = world.client()
        async let answer = client.collect(Self.request, body: .bytes(Array("body".utf8)), upTo: 9)
        #expect(try await world.request() == Self.head)
        try await world.respond("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n")
        #expect(try await answer.response.status.code == 417)
        let channel = try await world.channel()
        try await channel.closeFuture.get()
        await world.pass(.seconds(2))
        #expect(try await channel.readOutbound(as: ByteBuffer.self) == nil)
    }

    /// The refusal's own body may be slow. When the refusal begins, the one-second timer for the request's body is
    /// cancelled.
    @Test func aSlowRefusalGetsNoBody() async throws {
        let world = VirtualWorld()
        let client = world.client()
        async let answer = client.collect(Self.request, body: .bytes(Array("body".utf8)), upTo: 9)
        #expect(try await world.request() == Self.head)
        try await world.respond("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 2\r\n\r\nn")
        await world.pass(.seconds(2))
        let channel = try await world.channel()
        #expect(try await channel.readOutbound(as: ByteBuffer.self) == nil)
        try await world.respond("o")
        #expect(try await answer.text == "no")
        await world.loop.run()
        #expect(client.live.isEmpty)
        #expect(try await channel.readOutbound(as: ByteBuffer.self) == nil)
    }

    @Test func otherExpectationsAreRefused() async throws {
        let client = VirtualWorld().client()
        let error = try await transportError {
            _ = try await client.collect(.plain(.post, port: 1, [.expect: "x"]), body: .bytes([1]), upTo: 9)
        }
        #expect(error.code == .invalidRequest)
    }

    @Test func withoutABodyTheFieldIsNotSent() async throws {
        try await ScriptedServer.with { _ in
            [.respond()]
        } _: { server in
            let client = HTTPClient(configuration: .forPlainServers)
            _ = try await client.collect(.plain(port: server.port, [.expect: "100-continue"]), upTo: 9)
            #expect(server.requests[0].field("Expect") == nil)
        }
    }
}
