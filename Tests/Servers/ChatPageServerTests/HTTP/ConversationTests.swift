import ChatCenterCore
import ChatDevServer
import HTTPTypes
import HoldfastTransport
import HoldfastWebSocket
import Testing

@testable import ChatPageServer

@Suite("Conversations on the page", .timeLimit(.minutes(1)))
struct ConversationTests {
    @Test("A page sends over its WebSocket, and every other page of the visitor sees it")
    func sockets() async throws {
        try await PageUnderTest.with { page in
            let browser = try await page.signIn()
            let first = try await browser.connect(client: "client-1")
            let second = try await browser.connect(client: "client-2")
            #expect(try await first.frame(containing: "\"kind\":\"state\"").contains(browser.session))
            _ = try await second.frame(containing: "\"kind\":\"state\"")
            try await first.send("appeared")
            let id = "11111111-1111-4111-8111-111111111111"
            try await first.send("send", ["id": id, "text": "Hello there"])
            #expect(try await first.frame(containing: "\"kind\":\"answer\"", "\"to\":2").contains("accepted"))
            // The server knows the client now.
            _ = try await second.frame(containing: "\"kind\":\"change\"", "Hello there", "{\"kind\":\"sent\"}")
            await page.backend.operatorSays("Hello Maria", to: "maria")
            _ = try await first.frame(containing: "\"kind\":\"change\"", "Hello Maria")
            _ = try await second.frame(containing: "\"kind\":\"change\"", "Hello Maria")
        }
    }

    @Test("A message that arrives while the page is hidden is unread, although the page was loaded just now")
    func hidden() async throws {
        try await PageUnderTest.with { page in
            let browser = try await page.signIn()
            let socket = try await browser.connect(client: "client-1")
            try await socket.send("appeared")
            try await socket.send("send", ["id": "11111111-1111-4111-8111-111111111111", "text": "Hello there"])
            // The server knows the client now.
            _ = try await socket.frame(containing: "\"kind\":\"change\"", "Hello there", "{\"kind\":\"sent\"}")
            try await socket.send("disappeared")
            _ = try await socket.frame(containing: "\"kind\":\"answer\"", "\"to\":3")
            await page.backend.operatorSays("Are you there?", to: "maria")
            _ = try await socket.frame(containing: "\"unreadCount\":1")
        }
    }

    @Test("A repeated intent sends nothing twice")
    func repetition() async throws {
        try await PageUnderTest.with { page in
            let browser = try await page.signIn()
            let fields = ["id": "11111111-1111-4111-8111-111111111111", "text": "Only once"]
            let first = try await browser.intent("send", number: 1, fields)
            let again = try await browser.intent("send", number: 1, fields)
            // Another page, for example the same tab after a reload.
            let reloaded = try await browser.intent("send", number: 1, client: "client-2", fields)
            #expect([first, again, reloaded].map(\.status) == [200, 200, 200])
            #expect([first, again, reloaded].allSatisfy { $0.text.contains("accepted") })
            let html = try await browser.load()
            #expect(html.ranges(of: "id=\"row-11111111").count == 1)
        }
    }

    @Test("A page that reconnects gets what it has missed")
    func resumption() async throws {
        try await PageUnderTest.with { page in
            let browser = try await page.signIn()
            let first = try await browser.connect()
            _ = try await first.frame(containing: "\"kind\":\"state\"")
            let seen = first.last
            await first.connection.close()
            _ = try await browser.post(["intent": "send", "text": "Meanwhile"])
            let second = try await browser.connect(after: seen)
            #expect(try await second.frame(containing: "Meanwhile").contains("\"kind\":\"change\""))
        }
    }

    @Test("A frame that violates the protocol ends the socket with its code")
    func violation() async throws {
        try await PageUnderTest.with { page in
            let browser = try await page.signIn()
            let socket = try await browser.connect()
            try await socket.send("loadOlder", session: "another")
            let closure = await socket.end()
            #expect(closure?.code == .policyViolation)
            #expect(closure?.reason == "wrongSession")
        }
    }

    @Test("A sign of life reaches each page")
    func beat() async throws {
        try await PageUnderTest.with { page in
            let browser = try await page.signIn()
            let socket = try await browser.connect()
            _ = try await socket.frame(containing: "\"kind\":\"state\"")
            await page.server.house.tick()
            _ = try await socket.frame(containing: "\"kind\":\"beat\"")
        }
    }

    @Test("Server-sent events carry the same frames")
    func events() async throws {
        try await PageUnderTest.with { page in
            let browser = try await page.signIn()
            let request = HTTPRequest(
                method: .get, scheme: "http", authority: "127.0.0.1:\(page.address.port)",
                path: "/events?client=client-1", headerFields: browser.headers())
            let text = try await page.http.execute(request) { response, body in
                #expect(response.status.code == 200)
                #expect(response.headerFields[.contentType]?.hasPrefix("text/event-stream") == true)
                var text = ""
                while !text.contains("\"kind\":\"state\""), let part = try await body.next() {
                    text += String(decoding: part, as: UTF8.self)
                }
                return text
            }
            #expect(text.hasPrefix("retry: 1000\n\nid: "))
            #expect(text.contains("\ndata: {\"v\":1"))
        }
    }

    @Test("Without JavaScript, a form sends, and the next page shows the message or the reason of a refusal")
    func forms() async throws {
        try await PageUnderTest.with { page in
            let browser = try await page.signIn()
            let answer = try await browser.post(["intent": "send", "text": "Ünïcode & <b>markup</b>"])
            #expect(answer.status == 303)
            #expect(answer["Location"] == "/")
            let html = try await browser.load()
            #expect(html.contains("Ünïcode &amp; &lt;b&gt;markup&lt;/b&gt;"))
            #expect(!html.contains("<b>markup"))
            _ = try await browser.post(["intent": "send", "text": "   "])
            #expect(try await browser.load().contains("The message is empty."))
            #expect(!(try await browser.load()).contains("The message is empty."))
        }
    }

    @Test("After Back without JavaScript, a second text is kept with a reason and a new identifier, and can be sent")
    func formAfterBack() async throws {
        try await PageUnderTest.with { page in
            func formID(_ html: String) throws -> String {
                let field = /<form id="composer".*?name="id" value="([0-9a-f-]+)"/.dotMatchesNewlines()
                guard let id = html.firstMatch(of: field)?.1 else { throw Unexpected("the form has no identifier") }
                return String(id)
            }
            let browser = try await page.signIn()
            let old = try formID(try await browser.load())
            // The same form twice, as after a second press of the button.
            for _ in 0..<2 {
                let answer = try await browser.post(["intent": "send", "id": old, "text": "The first text"])
                #expect(answer.status == 303)
            }
            let sent = try await browser.load()
            #expect(sent.ranges(of: "id=\"row-").count == 1)
            #expect(!sent.contains("already used"))
            let answer = try await browser.post(["intent": "send", "id": old, "text": "The second text"])
            #expect(answer.status == 303)
            let html = try await browser.load()
            #expect(html.contains("already used for another message"))
            #expect(html.contains("\nThe second text</textarea>"))
            #expect(html.ranges(of: "id=\"row-").count == 1)
            let new = try formID(html)
            #expect(new != old)
            _ = try await browser.post(["intent": "send", "id": new, "text": "The second text"])
            let end = try await browser.load()
            #expect(end.ranges(of: "id=\"row-").count == 2)
            #expect(!end.contains("The second text</textarea>"))
        }
    }

    @Test("An intent with the identifier of another text fails with its own code")
    func usedIdentifier() async throws {
        try await PageUnderTest.with { page in
            let browser = try await page.signIn()
            let id = "11111111-1111-4111-8111-111111111111"
            let first = try await browser.intent("send", number: 1, ["id": id, "text": "One"])
            #expect(first.text.contains("accepted"))
            let second = try await browser.intent("send", number: 2, ["id": id, "text": "Two"])
            #expect(second.text.contains("\"result\":\"refused\""))
            #expect(second.text.contains("messageIdentifierInUse"))
        }
    }

    @Test("A file is uploaded, downloaded in parts, and shown only as a picture")
    func files() async throws {
        try await PageUnderTest.with { page in
            let browser = try await page.signIn()
            let id = "0f8fad5b-d9cb-469f-a165-70867728950e"
            let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(0...99)
            let answer = try await browser.upload(png, name: "photo 1.png", id: id)
            #expect(answer.status == 200)
            #expect(answer.text.contains("\"accepted\""))
            let socket = try await browser.connect()
            try await socket.send("appeared")
            _ = try await socket.frame(containing: id, "\"state\":{\"kind\":\"ready\"}")
            let whole = try await browser.get("/files/\(id)/0")
            #expect(whole.body == png)
            #expect(whole["Content-Disposition"] == "attachment; filename*=UTF-8''photo%201.png")
            #expect(whole["Accept-Ranges"] == "bytes")
            let inline = try await browser.get("/files/\(id)/0?inline")
            #expect(inline["Content-Type"] == "image/png")
            #expect(inline["Content-Disposition"]?.hasPrefix("inline") == true)
            let part = try await browser.get("/files/\(id)/0", [.range: "bytes=8-11"])
            #expect(part.status == 206)
            #expect(part.body == [0, 1, 2, 3])
            #expect(part["Content-Range"] == "bytes 8-11/108")
            #expect(try await browser.get("/files/\(id)/0", [.range: "bytes=108-"]).status == 416)
        }
    }

    @Test("An idle session ends and comes back from its store")
    func eviction() async throws {
        try await PageUnderTest.with { page in
            let browser = try await page.signIn()
            _ = try await browser.post(["intent": "send", "text": "Before the eviction"])
            page.clock.advance(by: 599_999)
            await page.server.house.tick()
            #expect(await page.server.sessionCount == 1)
            page.clock.advance(by: 1)
            await page.server.house.tick()
            #expect(await page.server.sessionCount == 0)
            #expect(try await browser.load().contains("Before the eviction"))
            #expect(await page.server.sessionCount == 1)
        }
    }

    @Test("A session with a connected page is never evicted, and the page is told when the server is full")
    func limit() async throws {
        try await PageUnderTest.with({ $0.limits.sessions = 1 }) { page in
            let browser = try await page.signIn()
            let socket = try await browser.connect()
            _ = try await socket.frame(containing: "\"kind\":\"state\"")
            page.clock.advance(by: 10_000_000)
            await page.server.house.tick()
            #expect(await page.server.sessionCount == 1)
            await #expect(throws: Unexpected.self) { _ = try await page.signIn(ChatPageVisitor("omar")) }
            _ = try await socket.frame(containing: "\"kind\":\"beat\"")
        }
    }

    @Test("A page that reads too slowly loses its connection")
    func slowReader() async throws {
        try await PageUnderTest.with({ $0.outletLimits = .init(frames: 2, bytes: 100) }) { page in
            let browser = try await page.signIn()
            let use = try await page.server.house.enter(ChatPageVisitor("maria"))
            let connection = await use.session.connect(client: "slow-client", after: nil)
            for _ in 0..<3 { await use.session.beat() }
            #expect(connection.outlet.isTooSlow)
            await use.session.disconnect(connection.id)
            await page.server.house.leave(use)
            #expect(try await browser.get("/").status == 200)
        }
    }

    @Test("An event stream that nobody reads is closed, and does not delay the visitor's other pages")
    func unreadEvents() async throws {
        try await PageUnderTest.with({
            $0.outletLimits = .init(frames: 512, bytes: 64 << 10)
            $0.sendBuffer = 4_096
        }) { page in
            let browser = try await page.signIn()
            let slow = try await RawConnection.connect(to: page.address.port, until: "retry: 1000")
            try await slow.send(
                "GET /events?client=slow-client HTTP/1.1\r\nHost: 127.0.0.1:\(page.address.port)\r\n"
                    + "Cookie: \(browser.cookie)\r\n\r\n")
            #expect(try await slow.beginning().hasPrefix("HTTP/1.1 200 "))
            try await slow.pause()
            let socket = try await browser.connect(client: "client-1")
            try await socket.send("send", ["id": "11111111-1111-4111-8111-111111111111", "text": "Hello"])
            // The server knows the client now.
            _ = try await socket.frame(containing: "\"kind\":\"change\"", "Hello", "{\"kind\":\"sent\"}")
            // More than the buffers of the connection and the limit of the server together.
            let (count, length) = (60, 8_000)
            for number in 0..<count {
                let text = "n\(number)." + String(repeating: "\u{44F}", count: length / 2 - 10)
                await page.backend.operatorSays(text, to: "maria")
                _ = try await socket.frame(containing: "n\(number).")
            }
            #expect(try await slow.readToEnd() < count * length)
            await page.server.house.tick()
            _ = try await socket.frame(containing: "\"kind\":\"beat\"")
        }
    }

    @Test("A visitor's new session waits until the one before has ended")
    func overlap() async throws {
        let held = HeldEnding()
        try await PageUnderTest.with({ $0.sessionEnding = held.ending }) { page in
            let browser = try await page.signIn()
            async let end: Void = page.server.house.signOut(ChatPageVisitor("maria"))
            await held.isClosing()
            async let html = browser.load()
            await held.isWaiting()
            #expect(await page.server.sessionCount == 0)
            held.release()
            await end
            let loaded = try await html
            #expect(loaded.contains("chat-form"))
            #expect(await page.server.sessionCount == 1)
        }
    }

    @Test("A file that arrives after its upload was cancelled is not sent")
    func cancelledUpload() async throws {
        try await PageUnderTest.with { page in
            let browser = try await page.signIn()
            let id = "0f8fad5b-d9cb-469f-a165-70867728950e"
            #expect(try await browser.intent("cancelUpload", number: 1, ["message": id]).status == 200)
            let late = try await browser.upload([1, 2, 3], name: "late.png", id: id)
            #expect(late.text.contains("\"cancelled\""))
            #expect(!(try await browser.load()).contains("late.png"))
            // Other files are sent.
            #expect(try await browser.upload([1, 2, 3], name: "next.png").text.contains("\"accepted\""))
        }
    }

    @Test("The pages are told when the server stops")
    func stop() async throws {
        try await PageUnderTest.with { page in
            let browser = try await page.signIn()
            let socket = try await browser.connect()
            _ = try await socket.frame(containing: "\"kind\":\"state\"")
            page.server.stop()
            #expect(try await socket.frame(containing: "\"kind\":\"end\"").contains("stopping"))
            #expect(await socket.end()?.code == .goingAway)
        }
    }

    @Test("The app's reason for a refusal is on the page")
    func refusal() async throws {
        let refusal = ChatPageRefusal(title: "No <chat>", text: "Because.", detail: ["expected: a", "seen: b"])
        try await ChatPageServer.with(open: { _ in throw refusal }) { server, address in
            let http = HTTPClient()
            func get(_ path: String, _ cookie: String? = nil) async throws -> CollectedResponse {
                var headers: HTTPFields = [.accept: "text/html"]
                headers[.cookie] = cookie
                let request = HTTPRequest(
                    method: .get, scheme: "http", authority: "127.0.0.1:\(address.port)", path: path,
                    headerFields: headers)
                return try await http.collect(request, upTo: 1 << 20)
            }
            let link = try await server.link(for: ChatPageVisitor("maria"))
            let answer = try await get(String(link.dropFirst(address.url.count)))
            let cookie = try #require(answer["Set-Cookie"]?.split(separator: ";").first.map(String.init))
            let page = try await get("/", cookie)
            #expect(page.status == 502)
            #expect(page.text.contains("No &lt;chat&gt;"))
            #expect(page.text.contains("Because.") && page.text.contains("seen: b"))
            #expect(await server.sessionCount == 0)
        }
    }

    @Test(
        "Unusable settings are refused",
        arguments: [
            ("0.0.0.0", [], ""), ("127.0.0.1", ["http://chat.example"], ""), ("127.0.0.1", ["chat.example"], ""),
            ("127.0.0.1", [], "chat"), ("127.0.0.1", [], "/chat/"), ("127.0.0.1", [], "/a//b"),
            ("127.0.0.1", [], "/:a"),
        ])
    func settings(host: String, origins: [String], basePath: String) {
        var configuration = ChatPageServerConfiguration()
        configuration.host = host
        configuration.origins = origins
        configuration.basePath = basePath
        let error = #expect(throws: ChatPageServerError.self) {
            _ = try ChatPageServer(configuration: configuration) { _ in throw CancellationError() }
        }
        #expect(error?.code == .invalidConfiguration)
    }
}
