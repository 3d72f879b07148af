import ChatDevServer
import ChatWire
import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTrust
import Testing

@Suite("HTTP/2", .timeLimit(.minutes(1)))
struct HTTP2Tests {
    @Test("One port serves HTTP/2, HTTP/1.1 and WebSocket", arguments: [true, false])
    func protocols(isHTTP1: Bool) async throws {
        try await ServerUnderTest.with { subject in
            let subject = isHTTP1 ? subject.withHTTP1() : subject
            let first = try await subject.get("/api/chat/config")
            #expect(first.status == 200)
            #expect(first.facts.applicationProtocol == (isHTTP1 ? "http/1.1" : "h2"))
            let socket = try await subject.join()
            #expect(try await socket.say("Hello", uuid: "u1") != nil)
            let history = try await subject.history()
            #expect(history.messages.contains { $0.text == "Hello" })
        }
    }

    @Test("Requests at the same time use one connection")
    func sharing() async throws {
        try await ServerUnderTest.with {
            $0.limits.connections = 1
        } _: { subject in
            let (begun, signal) = AsyncStream.makeStream(of: Void.self)
            let (held, release) = AsyncStream.makeStream(of: Void.self)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await subject.upload(begun: signal, until: held) }
                for await _ in begun {}
                // Without streams, these requests would wait for the end of the upload.
                try await withThrowingTaskGroup(of: Int.self) { requests in
                    for _ in 0..<50 { requests.addTask { try await subject.get("/api/chat/config").status } }
                    for try await status in requests { #expect(status == 200) }
                }
                release.finish()
                try await group.waitForAll()
            }
        }
    }

    @Test("A request with too many header fields is refused, and the connection stays usable")
    func fields() async throws {
        try await ServerUnderTest.with { subject in
            var headers = HTTPFields()
            for number in 0..<101 {
                headers.append(HTTPField(name: try #require(HTTPField.Name("x-\(number)")), value: "1"))
            }
            #expect(try await subject.request(.get, "/api/chat/config", headers: headers).status == 400)
            #expect(try await subject.get("/api/chat/config").status == 200)
        }
    }

    @Test("Header fields that are too large end the connection, and the next request uses another one")
    func headerBytes() async throws {
        try await ServerUnderTest.with { subject in
            let name = try #require(HTTPField.Name("x-large"))
            let headers: HTTPFields = [name: String(repeating: "x", count: 40_000)]
            await #expect(throws: TransportError.self) {
                try await subject.request(.get, "/api/chat/config", headers: headers)
            }
            #expect(try await subject.get("/api/chat/config").status == 200)
        }
    }

    @Test("An endless upload is answered or reset, and the connection stays usable")
    func endlessBody() async throws {
        try await ServerUnderTest.with { subject in
            let body = HTTPBody.stream(length: nil) { writer in
                let block = [UInt8](repeating: 120, count: 65_536)
                while true { try await writer.write(block) }
            }
            // The server answers first, and resets the stream later. The client can see either.
            let answer = try? await subject.request(.put, "/files", body: body)
            #expect(answer?.status == nil || answer?.status == 400)
            let next = try await subject.get("/api/chat/config")
            #expect(next.status == 200)
        }
    }

    @Test("The server can stop while clients open streams", arguments: 0..<10)
    func stopping(round: Int) async throws {
        try await ServerUnderTest.with { subject in
            let first = try await subject.get("/api/chat/config")
            #expect(first.status == 200)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask { while (try? await subject.get("/api/chat/config")) != nil {} }
                }
                for _ in 0..<round * 3 { _ = try? await subject.get("/api/chat/config") }
                subject.server.stop()
            }
        }
    }

    @Test("A request that never ends does not delay the end of the server")
    func unfinished() async throws {
        try await ServerUnderTest.with { subject in
            let (begun, signal) = AsyncStream.makeStream(of: Void.self)
            let (forever, end) = AsyncStream.makeStream(of: Void.self)
            defer { end.finish() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await subject.upload(begun: signal, until: forever) }
                for await _ in begun {}
                subject.server.stop()
                try await group.waitForAll()
            }
        }
    }
}

extension ServerUnderTest {
    /// Begins an upload, finishes `begun`, and sends nothing more until `held` ends. Then the body ends too early.
    fileprivate func upload(begun: AsyncStream<Void>.Continuation, until held: AsyncStream<Void>) async {
        let body = HTTPBody.stream(length: 1 << 20) { writer in
            try await writer.write([UInt8](Self.form([1, 2, 3], name: "a.png").prefix(60)))
            begun.finish()
            for await _ in held {}
        }
        _ = try? await request(
            .put, "/files", headers: [.contentType: "multipart/form-data; boundary=\(Self.boundary)"], body: body)
    }

    /// The same server, with a client that offers HTTP/1.1 only.
    fileprivate func withHTTP1() -> ServerUnderTest {
        var transport = ServerUnderTest.transport(.system(anchors: .only([authority.root.view])))
        transport.httpVersions = .http1Only
        return ServerUnderTest(
            server: server, address: address, authority: authority, http: HTTPClient(configuration: transport),
            sockets: sockets)
    }
}
