import ChatDevServer
import ChatServerCore
import ChatWire
import HTTPTypes
import HoldfastTransport
import Testing

@Suite("REST", .timeLimit(.minutes(1)))
struct RESTTests {
    @Test("The configuration is complete, and a patch changes it")
    func configuration() async throws {
        try await ServerUnderTest.with {
            $0.configurationPatch =
                #"{"channelConfig":{"historyLoadingCount":7},"schedule":null,"settings":{"pingEnabled":false}}"#
        } _: { subject in
            let response = try await subject.get("/api/chat/config?appMarker=x&chatApiVersion=17")
            #expect(response.status == 200)
            #expect(response.response.headerFields[.contentType] == "application/json; charset=utf-8")
            let answer = try ConfigurationAnswer(parsing: response.body)
            #expect(answer.channelConfig?.historyLoadingCount == 7)
            #expect(answer.channelConfig?.searchEnabled == true)
            #expect(answer.settings?.pingEnabled == false)
            #expect(answer.settings?.pingIntervalMillis == 10_000)
            #expect(answer.schedule == nil)
            #expect(answer.attachmentSettings?.maxSize == 10)
        }
    }

    @Test("History, unread and search over HTTP")
    func reading() async throws {
        try await ServerUnderTest.with { subject in
            let socket = try await subject.join()
            for number in 1...5 {
                try await socket.say("message \(number)", uuid: "u\(number)")
                _ = try await socket.message("You wrote: message \(number)")
            }
            let all = try await subject.history()
            #expect(all.messages.compactMap(\.uuid).filter { $0.hasPrefix("u") && $0.count == 2 }.count == 5)
            #expect(all.allowedToSendMessages == true)
            #expect(all.agentInfo?["name"]?.stringValue == "Vera")

            let before = try await subject.history("before=u3&count=2")
            #expect(before.messages.count == 2)
            #expect(before.messages.compactMap(\.text) == ["message 2", "You wrote: message 2"])
            let after = try await subject.history("after=u3&count=1")
            #expect(after.messages.compactMap(\.text) == ["You wrote: message 3"])
            let legacy = try HistoryAnswer(parsing: try await subject.get("/history?count=100").body)
            #expect(legacy == all)

            let unread = try UnreadAnswer(parsing: try await subject.get("/api/client/history/unread").body)
            #expect(unread.count == 5)
            let found = try SearchAnswer(
                parsing: try await subject.get("/api/client/search?query=WROTE%3A%20message%204&page=0&size=10").body)
            #expect(found.total == 1)
            #expect(found.content.first?.text == "You wrote: message 4")
        }
    }

    @Test(
        "Invalid calls are refused with a reason",
        arguments: [
            ("/api/client/history?count=many", 400, "request.invalid"),
            ("/api/client/history?count=99999999999999999999", 400, "request.invalid"),
            ("/api/client/history?before=a&after=b", 400, "request.invalid"),
            ("/api/client/search", 400, "request.invalid"),
            ("/api/client/search?query=x&page=first", 400, "request.invalid"),
            ("/api/chat/config?chatApiVersion=new", 400, "request.invalid"),
            ("/nothing/here", 404, "request.not-found"),
            ("/files", 404, "request.not-found"),
            ("/files/unknown", 404, "file.not-found"),
            ("/files/..%2f..%2fetc%2fpasswd", 404, "file.not-found"),
        ])
    func refusals(path: String, status: Int, error: String) async throws {
        try await ServerUnderTest.with { subject in
            let response = try await subject.get(path)
            #expect(response.status == status)
            #expect(response.failure?.error == error)
        }
    }

    @Test("The index page lists the routes")
    func index() async throws {
        try await ServerUnderTest.with { subject in
            let response = try await subject.request(.get, "/")
            #expect(response.status == 200)
            #expect(String(decoding: response.body, as: UTF8.self).contains("/api/client/history?count="))
        }
    }

    @Test("A call without a client is refused")
    func nobody() async throws {
        try await ServerUnderTest.with { subject in
            let response = try await subject.request(.get, "/api/client/history/unread")
            #expect(response.status == 400)
            #expect(response.failure == ErrorAnswer("client.missing"))
        }
    }

    @Test("A request with a large unexpected body is not read to its end")
    func unwantedBody() async throws {
        try await ServerUnderTest.with { subject in
            let response = try await subject.request(
                .post, "/api/chat/config", body: .bytes([UInt8](repeating: 0, count: 65_537)))
            #expect(response.status == 413)
        }
    }

    @Test("Too many and too long header fields are refused", arguments: [(200, 10), (1, 40_000)])
    func headers(count: Int, length: Int) async throws {
        try await ServerUnderTest.with { subject in
            var fields = HTTPFields()
            for number in 0..<count {
                let name = try #require(HTTPField.Name("X-Field-\(number)"))
                fields[name] = String(repeating: "x", count: length)
            }
            // The parser fails: it answers 400 if it can, and ends the connection in any case.
            let status = try? await subject.request(.get, "/api/chat/config", headers: fields).status
            #expect(status == nil || status == 400)
            #expect(try await subject.get("/api/chat/config").status == 200)
        }
    }

    @Test("A planned fault fails one call")
    func fault() async throws {
        try await ServerUnderTest.with { subject in
            await subject.server.take(.faultsPlanned([.failCall(status: 500, ErrorAnswer("broken"))]))
            let response = try await subject.get("/api/chat/config")
            #expect(response.status == 500)
            #expect(response.failure == ErrorAnswer("broken"))
            #expect(try await subject.get("/api/chat/config").status == 200)
        }
    }

    @Test("Without an identity the server uses no TLS on loopback")
    func cleartext() async throws {
        try await ServerUnderTest.with {
            $0.tls = nil
        } _: { subject in
            #expect(subject.address.rest.hasPrefix("http://"))
            let response = try await subject.get("/api/chat/config")
            #expect(response.status == 200)
            #expect(response.facts.tlsVersion == nil)
            let socket = try await subject.join()
            #expect(try await socket.say("Hello", uuid: "u1") != nil)
        }
    }
}
