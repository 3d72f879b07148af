import ChatCenter
import ChatDevServer
import ChatPage
import HTTPTypes
import HoldfastTransport
import HoldfastWebSocket
import ServerKit
import Testing

@testable import ChatPageServer

@Suite("Signing in to the page", .timeLimit(.minutes(1)))
struct SignInTests {
    @Test("A link works once")
    func once() async throws {
        try await PageUnderTest.with { page in
            let link = try await page.server.link(for: ChatPageVisitor("maria"))
            #expect(link.hasPrefix(page.address.url + "/?token="))
            let path = String(link.dropFirst(page.address.url.count))
            let first = try await page.request(.get, path)
            #expect(first.status == 303)
            #expect(first["Location"] == "/")
            let cookie = try #require(first["Set-Cookie"])
            #expect(
                cookie.hasPrefix("chat-\(page.address.port)=")
                    && cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
            let again = try await page.request(.get, path)
            #expect(again.status == 403)
            #expect(again["Set-Cookie"] == nil)
            #expect(again.text.contains("usedToken"))
        }
    }

    @Test("A link expires after two minutes")
    func expiry() async throws {
        try await PageUnderTest.with { page in
            let link = try await page.server.link(for: ChatPageVisitor("maria"))
            page.clock.advance(by: OneTimeTokens.lifetime)
            #expect(try await page.request(.get, String(link.dropFirst(page.address.url.count))).status == 403)
        }
    }

    @Test("A link on another site is refused, and stays valid for the visitor")
    func foreignLink() async throws {
        try await PageUnderTest.with { page in
            let link = try await page.server.link(for: ChatPageVisitor("maria"))
            let path = String(link.dropFirst(page.address.url.count))
            let headers = try fields(["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"])
            let foreign = try await page.request(.get, path, headers: headers)
            #expect(foreign.status == 403)
            #expect(foreign["Set-Cookie"] == nil)
            let own = try await page.request(.get, path)
            #expect(own["Set-Cookie"] != nil)
        }
    }

    @Test("After a permitted link of another site, the page loads itself, so that the browser sends the cookie")
    func crossSiteLink() async throws {
        try await PageUnderTest.with({ $0.acceptsLinksFromOtherSites = true }) { page in
            let link = try await page.server.link(for: ChatPageVisitor("maria"))
            let headers = try fields(["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"])
            let answer = try await page.request(.get, String(link.dropFirst(page.address.url.count)), headers: headers)
            #expect(answer.status == 200)
            #expect(answer["Refresh"] == "0; url=/")
            #expect(answer["Set-Cookie"] != nil)
        }
    }

    @Test(
        "A prefetch neither uses a link nor opens a chat",
        arguments: [("Sec-Purpose", "prefetch"), ("Sec-Purpose", "prefetch;prerender"), ("Purpose", "prefetch")])
    func prefetch(name: String, value: String) async throws {
        try await PageUnderTest.with { page in
            let link = try await page.server.link(for: ChatPageVisitor("maria"))
            let path = String(link.dropFirst(page.address.url.count))
            let early = try await page.request(.get, path, headers: try fields([name: value]))
            #expect(early.status == 503)
            #expect(early["Set-Cookie"] == nil)
            #expect(early["Cache-Control"] == "no-store")
            let opened = try await page.request(.get, path)
            let cookie = try #require(opened["Set-Cookie"]?.split(separator: ";").first.map(String.init))
            let signedIn = try fields([name: value, "Cookie": cookie])
            #expect(try await page.request(.get, "/", headers: signedIn).status == 503)
            #expect(await page.server.sessionCount == 0)
            #expect(try await page.request(.get, "/", headers: try fields(["Cookie": cookie])).status == 200)
        }
    }

    @Test("A connection ends with the sign-in of its browser")
    func signInTime() async throws {
        try await PageUnderTest.with({ $0.limits.signInTime = .seconds(3_600) }) { page in
            let browser = try await page.signIn()
            let socket = try await browser.connect()
            _ = try await socket.frame(containing: "\"kind\":\"state\"")
            page.clock.advance(by: 3_599_999)
            await page.server.house.tick()
            _ = try await socket.frame(containing: "\"kind\":\"beat\"")
            page.clock.advance(by: 1)
            await page.server.house.tick()
            let end = try await socket.frame(containing: "\"kind\":\"end\"")
            #expect(end.contains("signedOut") && end.contains(ChatTextKey.serverSignedOut.currentText))
            #expect(await socket.end()?.code == .goingAway)
            #expect(try await browser.get("/").status == 403)
        }
    }

    @Test("An event stream ends with the sign-in of its browser")
    func signInTimeOfEvents() async throws {
        try await PageUnderTest.with({ $0.limits.signInTime = .seconds(3_600) }) { page in
            let browser = try await page.signIn()
            let request = HTTPRequest(
                method: .get, scheme: "http", authority: "127.0.0.1:\(page.address.port)",
                path: "/events?client=client-1", headerFields: browser.headers())
            let text = try await page.http.execute(request) { _, body in
                var text = ""
                var isExpired = false
                while let part = try await body.next() {
                    text += String(decoding: part, as: UTF8.self)
                    guard !isExpired, text.contains("\"kind\":\"state\"") else { continue }
                    isExpired = true
                    page.clock.advance(by: 3_600_000)
                    await page.server.house.tick()
                }
                return text
            }
            #expect(text.contains("\"kind\":\"end\"") && text.contains("\"signedOut\""))
        }
    }

    @Test("A browser that was signed out while its connection was set up gets only the reason")
    func signedOutMeanwhile() async throws {
        try await PageUnderTest.with { page in
            let use = try await page.server.house.enter(ChatPageVisitor("maria"))
            let unknown = try #require(Secret.digest(String(repeating: "0", count: Secret.textLength)))
            let connection = await use.session.connect(client: "client-1", after: nil, signIn: unknown)
            var frames: [String] = []
            for await frame in connection.outlet.frames { frames.append(String(decoding: frame.bytes, as: UTF8.self)) }
            #expect(frames.count == 1)
            #expect(frames.first?.contains("\"signedOut\"") == true)
            await page.server.house.leave(use)
        }
    }

    @Test("Page servers on one host have cookies of their own")
    func cookieNames() throws {
        func name(_ origin: String, _ basePath: String) throws -> String {
            let clock = ManualClock()
            let access = PageAccess(
                origins: PageOrigins(listed: [], isSecure: false), basePath: basePath, tokens: OneTimeTokens(limit: 1),
                browsers: SignedInBrowsers(limit: 1, lifetime: 1), time: clock.time,
                random: { [UInt8](repeating: 0, count: $0) })
            return access.cookie(at: try #require(WebOrigin(origin))).name
        }
        let names = [
            try name("http://localhost:1", ""), try name("http://localhost:2", ""),
            try name("https://chat.example", ""), try name("https://chat.example", "/support"),
            try name("https://chat.example", "/sales"),
        ]
        #expect(Set(names).count == names.count)
        #expect(names[2] == "__Host-chat-443")
    }

    @Test(
        "Without a cookie, nothing but the files is served",
        arguments: ["/", "/events?client=client-1", "/files/a/0", "/images/a", "/preview/a", "/theme.css"])
    func signedOut(path: String) async throws {
        try await PageUnderTest.with { page in
            #expect(try await page.request(.get, path).status == 403)
            let forged = try await page.request(
                .get, path,
                headers: [.cookie: "chat-\(page.address.port)=" + String(repeating: "0", count: Secret.textLength)])
            #expect(forged.status == 403)
            #expect(try await page.request(.get, "/page.js").status == 200)
        }
    }

    @Test("A browser that is not signed in goes to the app's login")
    func login() async throws {
        try await PageUnderTest.with({ $0.signInURL = "https://app.example/login" }) { page in
            let answer = try await page.request(.get, "/")
            #expect(answer.status == 303)
            #expect(answer["Location"] == "https://app.example/login")
        }
    }

    @Test("Signing out ends the cookie and the session")
    func signOut() async throws {
        try await PageUnderTest.with { page in
            let browser = try await page.signIn()
            let socket = try await browser.connect()
            _ = try await socket.frame(containing: "\"kind\":\"state\"")
            await page.server.signOut(ChatPageVisitor("maria"))
            #expect(try await socket.frame(containing: "\"kind\":\"end\"").contains("signedOut"))
            _ = await socket.end()
            #expect(try await browser.get("/").status == 403)
            #expect(await page.server.sessionCount == 0)
        }
    }

    @Test("Every response has the security headers, also an error")
    func headers() async throws {
        try await PageUnderTest.with { page in
            let browser = try await page.signIn()
            let answers = [
                try await browser.get("/"), try await browser.get("/nowhere"), try await page.request(.get, "/"),
                try await page.request(.get, "/page.js"), try await page.request(.get, "/page.css"),
                try await page.request(.get, "/", host: "evil.example"), try await browser.get("/theme.css"),
                try await browser.post(["intent": "unknown"]), try await browser.get("/socket"),
                try await page.request(.delete, "/"),
            ]
            #expect(answers.map(\.status) == [200, 404, 403, 200, 200, 421, 200, 400, 426, 404])
            for answer in answers {
                #expect(answer["Content-Security-Policy"]?.hasPrefix("default-src 'none'; script-src 'self'") == true)
                #expect(answer["X-Content-Type-Options"] == "nosniff")
                #expect(answer["Referrer-Policy"] == "no-referrer")
                #expect(answer["Cross-Origin-Opener-Policy"] == "same-origin")
                #expect(answer["Cross-Origin-Resource-Policy"] == "same-origin")
                #expect(answer["Cache-Control"] != nil)
                #expect(answer["Set-Cookie"] == nil)
            }
            #expect(answers[0]["Cache-Control"] == "no-store")
        }
    }

    private func fields(_ values: [String: String]) throws -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in values { fields[try #require(HTTPField.Name(name))] = value }
        return fields
    }
}
