import HTTPTypes
import HoldfastTrust
import Testing

@testable import ChatPageServer

@Suite("Where requests may come from")
struct RequestSourceTests {
    private func fields(_ values: [String: String]) throws -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in values { fields[try #require(HTTPField.Name(name))] = value }
        return fields
    }

    private func refusal(
        _ purpose: RequestSource.Purpose, _ values: [String: String]
    ) throws -> RequestSource.Refusal? {
        let own = try #require(PageOrigin("http://127.0.0.1:8080"))
        return RequestSource.refusal(purpose, try fields(values), own: own)
    }

    @Test("The page's own requests are allowed")
    func own() throws {
        let origin = ["Origin": "http://127.0.0.1:8080", "Sec-Fetch-Site": "same-origin"]
        for purpose in [RequestSource.Purpose.reading, .change, .socket] {
            #expect(try refusal(purpose, origin) == nil)
        }
        // A form with the page's referrer policy.
        #expect(try refusal(.change, ["Origin": "null", "Sec-Fetch-Site": "same-origin"]) == nil)
        #expect(try refusal(.navigation, ["Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"]) == nil)
        #expect(try refusal(.reading, ["Sec-Fetch-Site": "none"]) == nil)
        // Not a browser: the form's token decides.
        #expect(try refusal(.change, [:]) == nil)
    }

    @Test("Links from anywhere lead to the page, but nothing else does", arguments: ["cross-site", "same-site"])
    func otherSites(site: String) throws {
        let link = ["Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate"]
        #expect(try refusal(.navigation, link) == nil)
        #expect(try refusal(.reading, link) == .crossSite)
        #expect(try refusal(.change, link) == .crossSite)
        #expect(try refusal(.socket, link) == .crossSite)
        #expect(try refusal(.navigation, ["Sec-Fetch-Site": site, "Sec-Fetch-Mode": "cors"]) == .crossSite)
    }

    @Test(
        "Other origins are refused",
        arguments: [
            "null", "http://127.0.0.1", "http://127.0.0.1:8081", "https://127.0.0.1:8080", "http://localhost:8080",
            "http://evil.example", "http://127.0.0.1:8080.evil.example", "http://127.0.0.1:8080/", "file://", "",
        ])
    func otherOrigins(origin: String) throws {
        #expect(try refusal(.change, ["Origin": origin]) == .otherOrigin)
        #expect(try refusal(.socket, ["Origin": origin]) == .otherOrigin)
        #expect(try refusal(.reading, ["Origin": origin]) == .otherOrigin)
    }

    @Test("A WebSocket needs an origin; none typed an address to open it")
    func sockets() throws {
        #expect(try refusal(.socket, [:]) == .noOrigin)
        #expect(try refusal(.socket, ["Sec-Fetch-Site": "none", "Origin": "http://127.0.0.1:8080"]) == .crossSite)
        #expect(try refusal(.socket, ["Sec-Fetch-Site": "same-origin", "Origin": "null"]) == .otherOrigin)
        #expect(try refusal(.change, ["Sec-Fetch-Site": "none"]) == .crossSite)
    }
}

@Suite("Origins of the page")
struct PageOriginsTests {
    @Test("On loopback, only loopback names and addresses are served")
    func loopback() {
        let origins = PageOrigins(listed: [], isSecure: false)
        for good in ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:1", "[::1]:8080", "localhost"] {
            #expect(origins.origin(of: good) != nil, "\(good)")
        }
        for bad in [
            nil, "", ":80", "evil.example", "evil.example:8080", "127.0.0.1.evil.example", "10.0.0.1:8080",
            "192.168.1.1", "localhost@evil.example", "evil.example@localhost", "localhost, evil.example", "[::2]:80",
            "0.0.0.0:8080",
        ] {
            #expect(origins.origin(of: bad) == nil, "\(bad ?? "none")")
        }
    }

    @Test("With listed origins, only they are served, with their scheme")
    func listed() throws {
        let origin = try #require(PageOrigin("https://Chat.Example"))
        let origins = PageOrigins(listed: [origin], isSecure: false)
        #expect(origins.origin(of: "chat.example") == origin)
        #expect(origins.origin(of: "chat.example:443") == origin)
        #expect(origins.origin(of: "chat.example:8443") == nil)
        #expect(origins.origin(of: "127.0.0.1:443") == nil)
        #expect(origin.isSecure)
        #expect("\(origin)" == "https://chat.example")
    }

    @Test("A second Host field is refused")
    func repeated() throws {
        let second: HTTPFields = [try #require(HTTPField.Name("Host")): "localhost:1"]
        #expect(PageOrigins(listed: [], isSecure: false).origin(of: "localhost:1", second) == nil)
    }

    @Test(
        "Texts that are not origins", arguments: ["", "chat.example", "ftp://chat.example", "https://", "https://a/b"])
    func malformed(text: String) { #expect(PageOrigin(text) == nil) }
}

@Suite("The page's cookie")
struct PageCookieTests {
    @Test("The attributes depend on TLS")
    func attributes() throws {
        let plain = PageCookie(try #require(PageOrigin("http://127.0.0.1:1")))
        #expect(plain.setting("x") == "chat=x; Path=/; HttpOnly; SameSite=Strict")
        let secure = PageCookie(try #require(PageOrigin("https://chat.example")))
        #expect(secure.setting("x") == "__Host-chat=x; Path=/; HttpOnly; SameSite=Strict; Secure")
    }

    @Test("A cookie that occurs twice with different values is not used")
    func repeated() throws {
        let cookie = PageCookie(try #require(PageOrigin("http://127.0.0.1:1")))
        #expect(cookie.value(in: [.cookie: "a=b; chat=x; notchat=y"]) == "x")
        #expect(cookie.value(in: [.cookie: "chat=x; chat=x"]) == "x")
        #expect(cookie.value(in: [.cookie: "chat=x; chat=y"]) == nil)
        #expect(cookie.value(in: [.cookie: "__Host-chat=x"]) == nil)
        #expect(cookie.value(in: [:]) == nil)
    }
}
