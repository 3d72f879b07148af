import HTTPTypes
import ServerKit
import Testing

/// Which addresses are one peer, and which requests come from this machine.
@Suite("Local requests")
struct LocalRequestTests {
    @Test func recognizesLoopbackInEveryForm() {
        for text in ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "::FFFF:127.0.0.1"] {
            #expect(PeerAddress(text).isLoopback, "\(text)")
        }
        for text in [
            "192.0.2.1", "128.0.0.1", "0.0.0.0", "1.127.0.1", "::", "::2", "127::1", "::ffff:192.0.2.1", "localhost",
            "", "fe80::1%lo",
        ] {
            #expect(!PeerAddress(text).isLoopback, "\(text)")
        }
        #expect(!PeerAddress(nil as String?).isLoopback)
    }

    @Test func aNetworkOf64BitsIsOnePeer() {
        #expect(PeerAddress("2001:db8::1") == PeerAddress("2001:db8::ffff:1"))
        #expect(PeerAddress("2001:db8::1") != PeerAddress("2001:db8:0:1::1"))
        #expect(PeerAddress("fe80::1%eth0").key == PeerAddress("fe80::2").key)
        #expect(PeerAddress("192.0.2.1") == PeerAddress("::ffff:192.0.2.1"))
        #expect(PeerAddress("192.0.2.1") != PeerAddress("192.0.2.2"))
    }

    private static func request(_ authority: String?, _ fields: [String] = []) throws -> HTTPRequest {
        var request = HTTPRequest(method: .get, scheme: nil, authority: authority, path: "/")
        for field in fields { request.headerFields[try #require(HTTPField.Name(field))] = "localhost:1" }
        return request
    }

    @Test("A request with another host name, two Host fields or proxy fields is not local")
    func requests() throws {
        #expect(try Self.request("localhost:1").namesThisMachine)
        #expect(try Self.request("[::1]").namesThisMachine)
        for authority in [nil, "", "evil.example:1", "10.0.0.1:1"] {
            #expect(try !Self.request(authority).namesThisMachine, "\(authority ?? "none")")
        }
        for name in ["Host", "Forwarded", "X-Forwarded-For", "x-forwarded-host", "X-Real-IP", "Via"] {
            #expect(try !Self.request("localhost:1", [name]).namesThisMachine, "\(name)")
        }
    }
}
