import ChatWire
import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTrust
import HoldfastWebSocket
import ServerMarkup
import Testing

@testable import ChatDevServer

@Suite("Access to the desk", .timeLimit(.minutes(1)))
struct DeskAccessTests {
    @Test("Without a token there is no desk")
    func disabled() async throws {
        try await ServerUnderTest.with { subject in
            for path in ["/desk", "/desk/sign-in", "/desk/events", "/desk/desk.js"] {
                let status = try await subject.request(.get, path).status
                #expect(status == 404, "\(path)")
            }
        }
    }

    @Test("An operator signs in with the token, gets a strict cookie, and signs out")
    func session() async throws {
        try await DeskClient.serving { subject in
            let first = try await subject.request(.get, "/desk", headers: [.accept: "text/html"])
            #expect(first.status == 303)
            #expect(first.response.headerFields[.location] == "/desk/sign-in")
            let answer = try await DeskClient.signIn(subject, name: "Ada", token: DeskClient.token)
            let cookies = answer.response.headerFields[values: .setCookie]
            let session = try #require(cookies.first { $0.hasPrefix("desk-\(subject.address.port)=") })
            for attribute in ["Path=/desk", "HttpOnly", "SameSite=Strict", "Secure"] {
                #expect(session.contains("; \(attribute)"), "\(attribute)")
            }
            // The cookie with the form's token is removed.
            #expect(
                cookies.contains { $0.hasPrefix("desk-form-\(subject.address.port)=;") && $0.contains("Max-Age=0") })

            let ada = try await DeskClient(subject)
            #expect(try await ada.page().contains("Signed in as <bdi>Ada</bdi>"))
            let position = try #require(DeskClient.meta("desk-position", in: try await ada.page()))
            // The stream ends with the session.
            let events = try await ada.follow(
                client: nil, after: position, until: { _ in false },
                whenOpen: {
                    var headers = ada.headers()
                    headers[.contentType] = "application/x-www-form-urlencoded"
                    let out = try await subject.request(
                        .post, "/desk/sign-out", headers: headers, body: .bytes(Array("form=\(ada.form)".utf8)))
                    #expect(out.status == 303)
                })
            #expect(events.last?.data["code"]?.stringValue == "signedOut")
            #expect(try await ada.get("/desk").status == 303)
            let json = try await ada.get("/desk/events", [.accept: "text/event-stream"])
            #expect(json.status == 401)
        }
    }

    @Test("Every page has the security headers")
    func headers() async throws {
        try await DeskClient.serving { subject in
            let ada = try await DeskClient(subject)
            for path in ["/desk", "/desk/sign-in", "/desk/search?q=a", "/desk/conversations/nobody"] {
                let fields = try await ada.get(path).response.headerFields
                let policy = try #require(fields[.contentSecurityPolicy])
                for part in [
                    "default-src 'none'", "script-src 'self'", "style-src 'self'", "form-action 'self'",
                    "base-uri 'none'", "frame-ancestors 'none'",
                ] { #expect(policy.contains(part), "\(part)") }
                #expect(!policy.contains("unsafe"))
                #expect(fields[.xContentTypeOptions] == "nosniff")
                #expect(fields[.cacheControl] == "no-store")
                for (name, value) in [
                    ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
                    ("Cross-Origin-Resource-Policy", "same-origin"),
                ] { #expect(fields[try #require(HTTPField.Name(name))] == value, "\(name)") }
            }
            // No page has an inline script, an inline style or an event handler.
            let page = try await ada.page()
            #expect(page.contains("<script type=\"module\" src=\"/desk/desk.js?v="))
            for part in ["<style", " style=", " onclick=", " onload=", "javascript:"] {
                #expect(!page.contains(part), "\(part)")
            }
        }
    }

    @Test("The script and the styles are immutable under an address with their digest")
    func files() async throws {
        try await DeskClient.serving { subject in
            for file in DeskFiles.all {
                let answer = try await subject.request(.get, file.address)
                #expect(answer.status == 200)
                #expect(answer.body == file.bytes)
                #expect(answer.response.headerFields[.cacheControl]?.contains("immutable") == true)
                #expect(answer.response.headerFields[.contentType] == file.contentType)
                let plain = try await subject.request(.get, "/desk/" + file.name)
                #expect(plain.response.headerFields[.cacheControl] == "no-store")
            }
        }
    }

    @Test("A wrong token or name is refused, and attempts are limited")
    func attempts() async throws {
        try await DeskClient.serving { subject in
            let unnamed = try await DeskClient.signIn(subject, name: " ", token: DeskClient.token)
            #expect(unnamed.status == 422)
            for _ in 0..<10 {
                let answer = try await DeskClient.signIn(subject, name: "Eve", token: "0123456789abcdeX")
                #expect(answer.status == 403)
                #expect(DeskClient.cookie("desk", in: answer) == nil)
                // The form keeps the name, but not the token.
                #expect(answer.text.contains("value=\"Eve\""))
                #expect(!answer.text.contains("abcdeX"))
            }
            let late = try await DeskClient.signIn(subject, name: "Eve", token: DeskClient.token)
            #expect(late.status == 429)
            #expect(late.response.headerFields[.retryAfter].flatMap { Int($0) } ?? 0 > 0)
        }
    }

    @Test("A sign-in form without its cookie is refused")
    func loginForgery() async throws {
        try await DeskClient.serving { subject in
            for value in [nil, "00000000000000000000000000000000", "<script>"] {
                var headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded", .accept: "text/html"]
                if let value { headers[.cookie] = "desk-form-\(subject.address.port)=\(value)" }
                let fields = ["form": "11111111111111111111111111111111", "name": "Ada", "token": DeskClient.token]
                let answer = try await subject.request(
                    .post, "/desk/sign-in", headers: headers, body: .bytes(Array(DeskClient.encoded(fields).utf8)))
                #expect(answer.status == 403)
                #expect(DeskClient.cookie("desk", in: answer) == nil)
            }
        }
    }

    @Test("A form needs the token of its own session, and changes nothing without it")
    func forgery() async throws {
        try await DeskClient.serving { subject in
            let ada = try await DeskClient(subject)
            let ben = try await DeskClient(subject, as: "Ben")
            let socket = try await subject.join("alice")
            try await socket.say("Hello", uuid: "u1")
            for form in [nil, "x", ben.form, ada.form + "0"] {
                #expect(try await ada.post("notes", ["id": "1", "text": "Forged"], form: form).status == 403)
                #expect(try await ada.post("close", form: form).status == 403)
            }
            let file = (name: "a.txt", type: "text/plain", bytes: Array("Forged".utf8))
            for form in ["x", ben.form] {
                #expect(try await ada.reply("Forged", files: [file], form: form).status == 403)
            }
            // The script sends the token in a header.
            let name = try #require(HTTPField.Name("X-Desk-Form"))
            #expect(try await ada.post("claim", form: nil, headers: [name: "x"]).status == 403)
            #expect(try await ada.post("claim", form: nil, headers: [name: ada.form]).status == 303)
            #expect(!(try await ada.page("/desk/conversations/alice").contains("Forged")))
            var stranger = ada
            stranger.cookie = nil
            #expect(try await stranger.post("close").status == 401)
        }
    }

    @Test("Requests that another site has caused are refused, even with the session's cookie and token")
    func crossSite() async throws {
        try await DeskClient.serving { subject in
            let ada = try await DeskClient(subject)
            _ = try await subject.join("alice")
            let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
            let own = "https://localhost:\(subject.address.port)"
            let refused: [HTTPFields] = [
                [.origin: "https://evil.example"], [.origin: "http://localhost:\(subject.address.port)"],
                [.origin: "https://localhost:1"], [site: "cross-site"], [site: "same-site"],
                [.origin: "null", site: "cross-site"], [.origin: own, site: "cross-site"], [.origin: "null"],
                [.origin: "null", site: "none"],
            ]
            for fields in refused {
                #expect(try await ada.post("claim", headers: fields).status == 403, "\(fields)")
                #expect(try await ada.reply("Forged", headers: fields).status == 403, "\(fields)")
                let answer = try await DeskClient.signIn(
                    subject, name: "Eve", token: DeskClient.token, headers: fields)
                #expect(answer.status == 403, "\(fields)")
            }
            // A page without a referrer has the origin "null".
            let accepted: [HTTPFields] = [
                [.origin: own, site: "same-origin"], [.origin: "null", site: "same-origin"], [.origin: own],
            ]
            for fields in accepted { #expect(try await ada.post("claim", headers: fields).status == 303, "\(fields)") }
        }
    }

    @Test("Other machines and proxies are refused, unless they are allowed", arguments: [false, true])
    func remote(isAllowed: Bool) async throws {
        try await DeskClient.serving({
            $0.dangerouslyAllowsRemoteOperators = isAllowed
        }) { subject in
            let forwarded = try #require(HTTPField.Name("X-Forwarded-For"))
            for path in ["/desk", "/desk/sign-in", "/desk/events", "/desk/desk.js"] {
                let answer = try await subject.request(
                    .get, path, headers: [forwarded: "203.0.113.9", .accept: "text/html"])
                #expect((answer.status == 403) == !isAllowed, "\(path)")
            }
        }
    }

    @Test("A page with DNS rebinding does not reach the desk", arguments: [true, false])
    func rebinding(isKnown: Bool) async throws {
        let host = "chat.example"
        let authority = try ServerCertificateAuthority(host: host, now: CertificateFactory.referenceTime)
        var configuration = ChatDevServerConfiguration()
        configuration.tls = try authority.identity(for: .genuine)
        configuration.authority = isKnown ? authority : try ServerUnderTest.authority.get()
        configuration.operatorToken = try OperatorToken(DeskClient.token)
        try await ChatDevServer.with(configuration) { server in
            var address = try await server.started()
            address.host = host
            var transport = ServerUnderTest.transport(.system(anchors: .only([authority.root.view])))
            transport.hostOverrides = [host: "127.0.0.1"]
            let subject = ServerUnderTest(
                server: server, address: address, authority: authority, http: HTTPClient(configuration: transport),
                sockets: WebSocketClient(configuration: transport))
            for path in ["/desk", "/desk/sign-in", "/desk/events"] {
                let answer = try await subject.request(.get, path, headers: [.accept: "text/html"])
                #expect(answer.status == (isKnown ? 403 : 421), "\(path)")
            }
        }
    }
}
