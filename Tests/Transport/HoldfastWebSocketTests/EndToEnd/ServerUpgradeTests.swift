import HTTPTypes
import HoldfastTransport
import HoldfastWebSocket
import NIOCore
import NIOPosix
import Testing

/// Tests HTTP/1.1 and WebSocket on one port.
@Suite struct ServerUpgradeTests {
    private static let upgrade =
        "GET /chat?x=1 HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"

    /// Sends pieces one after the other and reads until `isEnough` or the end.
    private func exchange(
        _ server: WebSocketTestServer, _ pieces: [[UInt8]], until isEnough: @escaping (String) -> Bool = { _ in false }
    ) async throws -> String {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(host: "127.0.0.1", port: server.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            for piece in pieces { try await outbound.write(ByteBuffer(bytes: piece)) }
            var answer: [UInt8] = []
            for try await buffer in inbound {
                answer += Array(buffer.readableBytesView)
                if isEnough(String(decoding: answer, as: UTF8.self)) { break }
            }
            return String(decoding: answer, as: UTF8.self)
        }
    }

    @Test func passesPlainRequestsForEverySegmentation() async throws {
        let server = try await WebSocketTestServer.start()
        let request = Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
        let post = Array("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc".utf8)
        for request in [request, post] {
            for pieces in [[request], request.map { [$0] }, [Array(request[..<3]), Array(request[3...])]] {
                let answer = try await exchange(server, pieces) { $0.hasSuffix("plain") }
                #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
            }
        }
        // Two pipelined requests are both answered.
        let answer = try await exchange(server, [request + request]) {
            $0.split(separator: "HTTP/1.1 200", omittingEmptySubsequences: false).count == 3 && $0.hasSuffix("plain")
        }
        #expect(answer.hasSuffix("plain"))
        await server.stop()
    }

    @Test func grantsUpgradesForEverySegmentation() async throws {
        let server = try await WebSocketTestServer.start()
        let wire = Wire(sender: .client)
        let bytes = Array((Self.upgrade + "\r\n").utf8) + wire.text("early")
        for pieces in [[bytes], bytes.map { [$0] }] {
            let answer = try await exchange(server, pieces) { $0.hasSuffix("early") }
            #expect(answer.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n"))
            #expect(answer.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
            #expect(answer.hasSuffix("early"))
        }
        await server.stop()
    }

    @Test(arguments: [
        ("Sec-WebSocket-Version: 13", "Sec-WebSocket-Version: 12", "426"),
        ("Connection: Upgrade", "Connection: close", "400"),
        ("Sec-WebSocket-Key: dGhl", "Sec-WebSocket-Key: d", "400"),
        ("Host: localhost", "Host: localhost\r\nContent-Length: 5", "400"),
    ])
    func refusesAnInvalidUpgradeAndCloses(good: String, bad: String, status: String) async throws {
        let server = try await WebSocketTestServer.start()
        let head = Self.upgrade.split(separator: good, omittingEmptySubsequences: false).joined(separator: bad)
        let answer = try await exchange(server, [Array((head + "\r\n").utf8)])
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
        #expect(answer.contains("Connection: close"))
        #expect(answer.contains("Sec-WebSocket-Version: 13") == (status == "426"))
        await server.stop()
    }

    @Test func followsTheServersDecision() async throws {
        let server = try await WebSocketTestServer.start(decide: { request, loop in
            switch request.path {
            case "/chat":
                loop.makeSucceededFuture(.accept(subprotocol: request.subprotocols.first, headers: [.server: "test"]))
            case "/plain": loop.makeSucceededFuture(.pass)
            case "/wrong": loop.makeSucceededFuture(.accept(subprotocol: "unasked"))
            case "/broken": loop.makeFailedFuture(ChannelError.alreadyClosed)
            default:
                loop.makeSucceededFuture(
                    .reject(WebSocketRejection(status: 401, headers: [.wwwAuthenticate: "Bearer"], reason: "Who?")))
            }
        })
        func failure(_ path: String) async -> WebSocketRefusal? {
            do {
                _ = try await WebSocketClient().connect("ws://127.0.0.1:\(server.port)\(path)")
                return nil
            } catch {
                return (error as? WebSocketError)?.refusal
            }
        }
        let refusal = try #require(await failure("/secret"))
        #expect(refusal.status == 401)
        #expect(refusal.headerFields[.wwwAuthenticate] == "Bearer")
        #expect(String(decoding: refusal.body, as: UTF8.self) == "Who?\n")
        #expect(await failure("/plain")?.status == 200)
        #expect(await failure("/wrong")?.status == 500)
        #expect(await failure("/broken")?.status == 500)
        let connection = try await WebSocketClient().connect(
            "ws://127.0.0.1:\(server.port)/chat", options: WebSocketOptions(subprotocols: ["a", "b"]))
        #expect(connection.subprotocol == "a")
        await connection.close()
        await server.stop()
    }

    @Test func passesAnOverlongHeadToTheHTTPServer() async throws {
        let server = try await WebSocketTestServer.start()
        let endless = Array(("GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 200_000)).utf8)
        // NIO's decoder limits a field to 80 KiB, and the server's pipeline answers.
        let answer = try await exchange(server, [endless]) { $0.contains("\r\n\r\n") }
        #expect(answer.hasPrefix("HTTP/1.1 400 "))
        await server.stop()
    }
}
