import HTTPTypes
import ServerKit
import Testing

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
        let own = try #require(WebOrigin("http://127.0.0.1:8080"))
        return RequestSource.refusal(purpose, try fields(values), own: own)
    }

    @Test("A page's own requests are allowed")
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

    @Test(
        "A prefetch is recognized",
        arguments: [
            ("Sec-Purpose", "prefetch"), ("Sec-Purpose", "prefetch;prerender"), ("Purpose", "Prefetch"),
            ("Sec-Purpose", "a, prefetch"),
        ])
    func prefetch(name: String, value: String) throws {
        #expect(RequestSource.isPrefetch(try fields([name: value])))
    }

    @Test("Other requests are not prefetches")
    func noPrefetch() throws {
        #expect(!RequestSource.isPrefetch([:]))
        #expect(!RequestSource.isPrefetch(try fields(["Sec-Purpose": "prefetched", "Purpose": ""])))
    }
}

@Suite("Origins of a server")
struct WebOriginTests {
    @Test(
        "Texts that are not origins", arguments: ["", "chat.example", "ftp://chat.example", "https://", "https://a/b"])
    func malformed(text: String) { #expect(WebOrigin(text) == nil) }

    @Test("The host is canonical, and the default port is not shown")
    func canonical() throws {
        let origin = try #require(WebOrigin("HTTPS://Chat.Example:443"))
        #expect("\(origin)" == "https://chat.example")
        #expect(origin.isSecure && origin.port == 443)
        #expect(WebOrigin("http://[::1]:8080").map { "\($0)" } == "http://[::1]:8080")
    }
}
