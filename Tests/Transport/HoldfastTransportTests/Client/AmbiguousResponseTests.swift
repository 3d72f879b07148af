import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import Testing

/// Ambiguous and malformed responses are refused, and their connection is closed.
@Suite struct AmbiguousResponseTests {
    private let plain = TransportConfiguration.forPlainServers

    @Test(arguments: AmbiguousResponse.all)
    func theResponseIsRefused(response: AmbiguousResponse) async throws {
        try await ScriptedServer.with { _ in
            [.send(Array(response.bytes.utf8))]
        } _: { server in
            let client = HTTPClient(configuration: plain)
            let error = try await transportError {
                _ = try await client.collect(.plain(port: server.port), upTo: 99)
            }
            #expect(error.code == .malformedResponse, "\(error)")
            #expect(error.defect == response.defect)
            // The connection is not used again.
            await server.waitForClosed(1)
            await client.untilAllAreClosed()
        }
    }

    /// Bytes after a response would become the beginning of the next response, for which a different caller waits.
    @Test(arguments: [
        "HTTP/1.1 200 OK\nContent-Length: 1\n\nxHTTP/1.1 200 OK\nContent-Length: 6\n\npoison",
        "HTTP/1.1 200 OK\nContent-Length: 1\n\nxHTTP/1.1 200 OK\nX-Pad: ",
        "HTTP/1.1 200 OK\nContent-Length: 1\n\nxH",
        "HTTP/1.1 200 OK\nContent-Length: 1\n\nx\n",
        "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n1\nx\n0\n\nHTTP/1.1 200 OK\nX-Pad: ",
        "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n1\nx\n0\n\nH",
        "HTTP/1.1 204 No Content\n\nHTTP/1.1 200 OK\n",
        "HTTP/1.1 204 No Content\nContent-Length: 1\n\nx",
        "HTTP/1.1 204 No Content\nTransfer-Encoding: chunked\n\n1\nx\n0\n\n",
        "HTTP/1.1 304 Not Modified\nContent-Length: 1\n\nx",
    ])
    func bytesAfterAResponseDoNotReachTheNext(bytes: String) async throws {
        try await ScriptedServer.with {
            $0.connection == 0 ? [.text(bytes)] : [.respond("second")]
        } _: { server in
            let client = HTTPClient(configuration: plain)
            let first = try await client.collect(.plain(port: server.port), upTo: 99)
            #expect(first.text == "x" || [204, 304].contains(first.response.status.code))
            let second = try await client.collect(.plain(port: server.port), upTo: 99)
            #expect(second.text == "second")
            #expect(server.connectionCount == 2)
        }
    }

    /// The response to a HEAD request has no body, whatever its fields say.
    @Test func aBodyAfterAHeadResponseDoesNotReachTheNext() async throws {
        try await ScriptedServer.with {
            $0.connection == 0
                ? [.text("HTTP/1.1 200 OK\nContent-Length: 38\n\nHTTP/1.1 200 OK\nContent-Length: 0\n\n")]
                : [.respond("second")]
        } _: { server in
            let client = HTTPClient(configuration: plain)
            let first = try await client.collect(.plain(.head, port: server.port), upTo: 99)
            #expect(first.body.isEmpty)
            #expect(try await client.collect(.plain(port: server.port), upTo: 99).text == "second")
        }
    }

    /// The same with a delay: bytes on an idle connection close it.
    @Test func bytesOnAnIdleConnectionCloseIt() async throws {
        let trigger = Trigger()
        try await ScriptedServer.with {
            $0.connection == 0
                ? [.respond("x"), .wait(trigger), .text("HTTP/1.1 200 OK\nContent-Length: 6\n\npoison")]
                : [.respond("second")]
        } _: { server in
            let client = HTTPClient(configuration: plain)
            let first = try await client.collect(.plain(port: server.port), upTo: 99)
            #expect(first.text == "x")
            trigger.fire()
            await server.waitForClosed(1)
            let second = try await client.collect(.plain(port: server.port), upTo: 99)
            #expect(second.text == "second")
        }
    }

    /// A server that sends before the request is refused too.
    @Test func aServerThatSendsFirstIsRefused() async throws {
        var settings = ScriptedServer.Settings()
        settings.onConnect = [.text("HTTP/1.1 200 OK\nContent-Length: 6\n\npoison")]
        settings.onRequest = { _ in [.respond("x")] }
        try await ScriptedServer.with(settings) { server in
            let client = HTTPClient(configuration: plain)
            do {
                // The bytes can arrive before or after the request is sent. After it they belong to the response.
                // EarlyBytesTests tests the bytes before it.
                let answer = try await client.collect(.plain(port: server.port), upTo: 99)
                #expect(answer.text == "poison")
            } catch let error as TransportError {
                #expect(error.code == .malformedResponse || error.code == .connectionClosed)
            }
            #expect(server.connectionCount <= 3)
        }
    }
}
