import HTTPTypes
import HoldfastTrust
import ServerKit
import Testing

@testable import ChatPageServer

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
        let origin = try #require(WebOrigin("https://Chat.Example"))
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
}
