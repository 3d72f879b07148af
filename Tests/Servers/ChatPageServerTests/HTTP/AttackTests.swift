import ChatDevServer
import HTTPTypes
import HoldfastTransport
import HoldfastWebSocket
import ServerKit
import Testing

@testable import ChatPageServer

@Suite("Attacks on the page's server", .timeLimit(.minutes(1)))
struct AttackTests {
    private func fields(_ values: [String: String]) throws -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in values { fields[try #require(HTTPField.Name(name))] = value }
        return fields
    }

    @Test("A form of another site is refused, even with the cookie and the token")
    func crossSiteForm() async throws {
        try await PageUnderTest.with { page in
            let browser = try await page.signIn()
            let send = ["intent": "send", "text": "forged"]
            for headers in [
                ["Origin": "https://evil.example"], ["Origin": "null"], ["Sec-Fetch-Site": "cross-site"],
                ["Origin": "null", "Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
                ["Origin": "http://127.0.0.1:1", "Sec-Fetch-Site": "same-site"],
            ] {
                #expect(try await browser.post(send, fields(headers)).status == 403, "\(headers)")
            }
            #expect(!(try await browser.load()).contains("forged"))
            let own = try fields(["Origin": "null", "Sec-Fetch-Site": "same-origin"])
            #expect(try await browser.post(["intent": "send", "text": "genuine"], own).status == 303)
            #expect(try await browser.load().contains("genuine"))
        }
    }

    @Test("Without the token of the browser's own forms, nothing changes")
    func formTokens() async throws {
        try await PageUnderTest.with { page in
            let browser = try await page.signIn()
            let other = try await page.signIn(ChatPageVisitor("omar"))
            for token in ["", "0", other.form, String(browser.form.dropLast())] {
                #expect(try await browser.post(["intent": "send", "text": "forged"], token: token).status == 403)
                #expect(
                    try await browser.intent("send", number: 1, token: token, ["id": "m1", "text": "forged"]).status
                        == 403)
                #expect(try await browser.upload([1, 2, 3], name: "forged.png", token: token).status == 403)
            }
            #expect(try await browser.upload([1, 2, 3], name: "forged.png", tokenLast: true).status == 403)
            #expect(!(try await browser.load()).contains("forged"))
        }
    }

    @Test("A WebSocket of another page is refused")
    func crossSiteSocket() async throws {
        try await PageUnderTest.with { page in
            let browser = try await page.signIn()
            for origin in [
                "https://evil.example", "null", "http://127.0.0.1:1", "http://localhost:\(page.address.port)",
            ] {
                let error = await #expect(throws: WebSocketError.self, "\(origin)") {
                    _ = try await browser.connect(origin: origin)
                }
                #expect(error?.refusal?.status == 403)
            }
            let stranger = Browser(
                page: page, cookie: "chat-\(page.address.port)=0", form: "", session: browser.session)
            let error = await #expect(throws: WebSocketError.self) { _ = try await stranger.connect() }
            #expect(error?.refusal?.status == 403)
        }
    }

    @Test("A page with DNS rebinding gets nothing")
    func rebinding() async throws {
        try await PageUnderTest.with { page in
            let browser = try await page.signIn()
            for path in ["/", "/page.js", "/events?client=client-1", "/files/a/0"] {
                let answer = try await page.request(.get, path, host: "evil.example", headers: browser.headers())
                #expect(answer.status == 421, "\(path)")
            }
            var headers = browser.headers()
            if let field = HTTPField.Name("Origin") { headers[field] = "http://evil.example:\(page.address.port)" }
            let error = await #expect(throws: WebSocketError.self) {
                _ = try await page.sockets.connect(
                    "ws://evil.example:\(page.address.port)/socket?client=client-1",
                    options: WebSocketOptions(headers: headers))
            }
            #expect(error?.refusal?.status == 421)
        }
    }

    @Test("A visitor reaches neither another visitor's session nor their files")
    func otherVisitor() async throws {
        try await PageUnderTest.with { page in
            let maria = try await page.signIn()
            let omar = try await page.signIn(ChatPageVisitor("omar"))
            let id = "0f8fad5b-d9cb-469f-a165-70867728950e"
            #expect(try await maria.upload([1, 2, 3], name: "secret.png", id: id).status == 200)
            #expect(try await omar.get("/files/\(id)/0").status == 404)
            let answer = try await omar.intent(
                "send", number: 1, session: maria.session, ["id": "m1", "text": "forged"])
            #expect(answer.status == 409)
            #expect(answer.text.contains("wrongSession"))
            #expect(!(try await maria.load()).contains("forged"))
        }
    }

    @Test("Too large requests are refused before they are stored")
    func oversized() async throws {
        try await PageUnderTest.with({ $0.limits.uploadBytes = 10_000 }) { page in
            let browser = try await page.signIn()
            // The length alone is refused, so that the body need not be sent.
            for (path, type, length) in [
                ("/files", "multipart/form-data; boundary=x", 10_000 + Int(UploadRoutes.formOverhead) + 1),
                ("/form", "application/x-www-form-urlencoded", PageRoutes.bodyLimit + 1),
                ("/intents", "application/json", PageRoutes.bodyLimit + 1),
            ] {
                let connection = try await RawConnection.connect(to: page.address.port)
                try await connection.send(
                    "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(page.address.port)\r\nCookie: \(browser.cookie)\r\n"
                        + "X-Chat-Form: \(browser.form)\r\nContent-Type: \(type)\r\nContent-Length: \(length)\r\n\r\n")
                #expect(try await connection.beginning().hasPrefix("HTTP/1.1 413 "), "\(path)")
                await connection.close()
            }
            // The bytes of the file itself count, too.
            let slightly = try await browser.upload([UInt8](repeating: 1, count: 10_001), name: "large.png")
            #expect(slightly.status == 413)
            #expect(slightly.text.contains("tooLarge"))
            let exactly = try await browser.upload([UInt8](repeating: 1, count: 10_000), name: "exact.png")
            #expect(exactly.status == 200)
            #expect(!(try await browser.load()).contains("large.png"))
        }
    }

    @Test(
        "A file's name never leaves its folder, and no file is shown as a page",
        arguments: [
            "../../../../etc/passwd.txt", "..\\\\..\\\\boot.bin", "/etc/passwd.txt", "%2e%2e%2fpasswd.txt",
        ])
    func fileNames(name: String) async throws {
        try await PageUnderTest.with { page in
            let browser = try await page.signIn()
            let id = "0f8fad5b-d9cb-469f-a165-70867728950e"
            let html = Array("<script>alert(1)</script>".utf8)
            #expect(try await browser.upload(html, name: name, type: "text/html", id: id).status == 200)
            let socket = try await browser.connect()
            try await socket.send("appeared")
            _ = try await socket.frame(containing: id, "\"state\":{\"kind\":\"ready\"}")
            for path in ["/files/\(id)/0", "/files/\(id)/0?inline"] {
                let answer = try await browser.get(path)
                #expect(answer.status == 200)
                #expect(answer.body == html)
                #expect(answer["Content-Type"] == "application/octet-stream")
                #expect(answer["Content-Disposition"]?.hasPrefix("attachment; filename*=UTF-8''") == true)
                #expect(answer["Content-Disposition"]?.contains("/") == false)
                #expect(answer["Content-Security-Policy"] == SecurityHeaders.filePolicy)
                #expect(answer["X-Content-Type-Options"] == "nosniff")
            }
            for path in ["/files/..%2f..%2fetc%2fpasswd/0", "/files/\(id)/1", "/files/\(id)/-1", "/files/\(id)/x"] {
                #expect(try await browser.get(path).status == 404, "\(path)")
            }
        }
    }

    @Test("A name of a picture that the server did not create is not fetched")
    func forgedImages() async throws {
        try await PageUnderTest.with { page in
            let browser = try await page.signIn()
            let target = Array("http://169.254.169.254/".utf8).map { String($0, radix: 16) }.joined()
            for name in ["x", String(repeating: "0", count: 64) + target, target] {
                #expect(try await browser.get("/images/\(name)").status == 404)
            }
        }
    }
}
