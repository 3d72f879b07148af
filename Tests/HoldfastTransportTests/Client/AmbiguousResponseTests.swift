import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import Testing

/// Responses that two readers could read in two ways, or that are none, are refused, and their connection with them.
@Suite struct AmbiguousResponseTests {
    private let plain = TransportConfiguration.forPlainServers

    static let malformed: [(name: String, bytes: String)] = [
        // The five kinds that NIOHTTP1 lets pass.
        (
            "two transfer codings",
            "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nTransfer-Encoding: chunked\n\n1\nx\n0\n\n"
        ),
        ("chunked is not last", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked, identity\n\n1\nx\n0\n\n"),
        ("a coding nobody asked for", "HTTP/1.1 200 OK\nTransfer-Encoding: gzip, chunked\n\n1\nx\n0\n\n"),
        ("an unknown coding", "HTTP/1.1 200 OK\nTransfer-Encoding: xchunked\n\nx"),
        ("chunked in HTTP/1.0", "HTTP/1.0 200 OK\nTransfer-Encoding: chunked\n\n1\nx\n0\n\n"),
        ("a line break before the status line", "\nHTTP/1.1 200 OK\nContent-Length: 1\n\nx"),
        ("a switch of protocols", "HTTP/1.1 101 Switching Protocols\nUpgrade: h2c\nConnection: Upgrade\n\n"),
        ("a line break after a 1xx", "HTTP/1.1 100 Continue\n\n\nHTTP/1.1 200 OK\nContent-Length: 1\n\nx"),
        // Those that it refuses.
        ("a coding and a length", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nContent-Length: 1\n\n1\nx\n0\n\n"),
        ("two lengths", "HTTP/1.1 200 OK\nContent-Length: 1\nContent-Length: 2\n\nxx"),
        ("two equal lengths", "HTTP/1.1 200 OK\nContent-Length: 1\nContent-Length: 1\n\nx"),
        ("a list of lengths", "HTTP/1.1 200 OK\nContent-Length: 1, 1\n\nx"),
        ("a negative length", "HTTP/1.1 200 OK\nContent-Length: -1\n\nx"),
        ("a length with a sign", "HTTP/1.1 200 OK\nContent-Length: +1\n\nx"),
        ("a length beyond all numbers", "HTTP/1.1 200 OK\nContent-Length: 99999999999999999999\n\nx"),
        ("a space before the colon", "HTTP/1.1 200 OK\nContent-Length : 1\n\nx"),
        ("a folded field", "HTTP/1.1 200 OK\nX: a\n b\nContent-Length: 1\n\nx"),
        ("a field without a name", "HTTP/1.1 200 OK\n: a\nContent-Length: 1\n\nx"),
        ("a chunk without a size", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n\nx\n0\n\n"),
        ("a chunk size that is no number", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\nzz\nx\n0\n\n"),
        ("a chunk that is longer than it says", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n1\nxx\n0\n\n"),
        ("a huge chunk size", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\nffffffffffffffff1\nx\n0\n\n"),
        ("HTTP/2", "HTTP/2.0 200 OK\nContent-Length: 1\n\nx"),
        ("HTTP/0.9", "<html>hello</html>"),
        ("another protocol", "220 mail.example.com ESMTP\n"),
        ("a status that is no number", "HTTP/1.1 abc OK\nContent-Length: 1\n\nx"),
    ]

    @Test(arguments: malformed.indices)
    func itIsRefused(index: Int) async throws {
        let (name, bytes) = Self.malformed[index]
        try await ScriptedServer.with { _ in
            [.text(bytes)]
        } _: { server in
            let client = HTTPClient(configuration: plain)
            let error = try await transportError {
                _ = try await client.collect(.plain(port: server.port), upTo: 99)
            }
            #expect(error.code == .malformedResponse, "\(name): \(error)")
            // Nothing of it is ever used again.
            await server.waitForClosed(1)
            await client.untilAllAreClosed()
        }
    }

    /// What stands behind a response would be the beginning of the next one, which another caller waits for.
    @Test(arguments: [
        "HTTP/1.1 200 OK\nContent-Length: 1\n\nxHTTP/1.1 200 OK\nContent-Length: 6\n\npoison",
        "HTTP/1.1 200 OK\nContent-Length: 1\n\nxHTTP/1.1 200 OK\nX-Pad: ",
        "HTTP/1.1 200 OK\nContent-Length: 1\n\nxH",
        "HTTP/1.1 200 OK\nContent-Length: 1\n\nx\n",
        "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n1\nx\n0\n\nHTTP/1.1 200 OK\nX-Pad: ",
        "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n1\nx\n0\n\nH",
        "HTTP/1.1 204 No Content\n\nHTTP/1.1 200 OK\n",
    ])
    func bytesBehindAResponseNeverReachTheNext(bytes: String) async throws {
        try await ScriptedServer.with {
            $0.connection == 0 ? [.text(bytes)] : [.respond("second")]
        } _: { server in
            let client = HTTPClient(configuration: plain)
            let first = try await client.collect(.plain(port: server.port), upTo: 99)
            #expect(first.text == "x" || first.response.status == .noContent)
            let second = try await client.collect(.plain(port: server.port), upTo: 99)
            #expect(second.text == "second")
            #expect(server.connectionCount == 2)
        }
    }

    /// The same, arriving later: bytes on an idle connection end it.
    @Test func bytesOnAnIdleConnectionEndIt() async throws {
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

    /// And a server that speaks before it is spoken to.
    @Test func aServerThatSpeaksFirstIsRefused() async throws {
        var settings = ScriptedServer.Settings()
        settings.onConnect = [.text("HTTP/1.1 200 OK\nContent-Length: 6\n\npoison")]
        settings.onRequest = { _ in [.respond("x")] }
        try await ScriptedServer.with(settings) { server in
            let client = HTTPClient(configuration: plain)
            do {
                // The bytes may come before the request is on its way, or after: then they are its answer's bytes.
                let answer = try await client.collect(.plain(port: server.port), upTo: 99)
                #expect(answer.text == "poison")
                #expect(server.connectionCount == 1)
            } catch let error as TransportError {
                #expect(error.code == .malformedResponse || error.code == .connectionClosed)
            }
        }
    }
}
