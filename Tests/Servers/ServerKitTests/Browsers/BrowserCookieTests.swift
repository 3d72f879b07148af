import HTTPTypes
import ServerKit
import Testing

@Suite("Cookies of servers")
struct BrowserCookieTests {
    private func cookie(_ name: String = "chat", at origin: String, path: String = "/") throws -> BrowserCookie {
        BrowserCookie(name, try #require(WebOrigin(origin)), path: path)
    }

    @Test("The attributes depend on TLS and the path")
    func attributes() throws {
        let plain = try cookie(at: "http://127.0.0.1:8080")
        #expect(plain.setting("0f") == "chat-8080=0f; Path=/; HttpOnly; SameSite=Strict")
        #expect(plain.removal == "chat-8080=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0")
        let secure = try cookie(at: "https://chat.example")
        #expect(secure.setting("0f") == "__Host-chat-443=0f; Path=/; HttpOnly; SameSite=Strict; Secure")
        // Browsers refuse the prefix with another path.
        let desk = try cookie("desk", at: "https://localhost:8443", path: "/desk")
        #expect(desk.setting("0f") == "desk-8443=0f; Path=/desk; HttpOnly; SameSite=Strict; Secure")
    }

    @Test("Servers on other ports of a host have other cookies")
    func ports() throws {
        let (first, second) = (try cookie(at: "http://localhost:1"), try cookie(at: "http://localhost:2"))
        let fields: HTTPFields = [.cookie: "\(first.name)=aa; \(second.name)=bb"]
        #expect(first.value(in: fields) == "aa")
        #expect(second.value(in: fields) == "bb")
    }

    @Test("A cookie that occurs twice with different values is not used")
    func repeated() throws {
        let cookie = try cookie(at: "http://127.0.0.1:1")
        #expect(cookie.value(in: [.cookie: "a=b; chat-1=0a; notchat-1=0b"]) == "0a")
        #expect(cookie.value(in: [.cookie: "chat-1=0a; chat-1=0a"]) == "0a")
        #expect(cookie.value(in: [.cookie: "chat-1=0a; chat-1=0b"]) == nil)
        #expect(cookie.value(in: [.cookie: "__Host-chat-1=0a; chat=0a"]) == nil)
        #expect(cookie.value(in: [:]) == nil)
    }

    @Test("Other values than hexadecimal digits are not used", arguments: ["", "0g", "0A", "<script>", "0 1"])
    func malformed(value: String) throws {
        #expect(try cookie(at: "http://127.0.0.1:1").value(in: [.cookie: "chat-1=\(value)"]) == nil)
    }

    @Test("A value has a limit")
    func limit() throws {
        let cookie = try cookie(at: "http://127.0.0.1:1")
        let value = String(repeating: "0", count: 128)
        #expect(cookie.value(in: [.cookie: "chat-1=\(value)"]) == value)
        #expect(cookie.value(in: [.cookie: "chat-1=\(value)0"]) == nil)
    }
}

@Suite("Security headers")
struct SecurityHeadersTests {
    @Test("A policy and a caching rule that are set stay; the other fields are added")
    func addition() {
        var fields: HTTPFields = [:]
        SecurityHeaders.add(to: &fields)
        #expect(fields[.contentSecurityPolicy] == SecurityHeaders.contentSecurityPolicy)
        #expect(fields[.cacheControl] == "no-store")
        #expect(fields[.xContentTypeOptions] == "nosniff")
        #expect(fields[.strictTransportSecurity] == nil)
        fields = [.contentSecurityPolicy: SecurityHeaders.filePolicy, .cacheControl: "private"]
        SecurityHeaders.add(to: &fields, isSecure: true)
        #expect(fields[.contentSecurityPolicy] == SecurityHeaders.filePolicy)
        #expect(fields[.cacheControl] == "private")
        #expect(fields[.strictTransportSecurity] == "max-age=31536000")
    }
}

@Suite("Comparisons of secrets")
struct ConstantTimeTests {
    @Test("Only equal texts are equal")
    func equality() {
        #expect(ConstantTime.equals("secret", "secret"))
        for text in ["", "secre", "secret0", "Secret"] { #expect(!ConstantTime.equals(text, "secret"), "\(text)") }
    }
}
