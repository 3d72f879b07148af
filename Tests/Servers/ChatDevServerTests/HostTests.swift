import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTrust
import HoldfastWebSocket
import Testing

@testable import ChatDevServer

@Suite("Host names", .timeLimit(.minutes(1)))
struct HostTests {
    @Test("A server on loopback accepts loopback names, IP addresses and its certificate's name")
    func names() {
        let names = AllowedHosts(listening: "127.0.0.1", certificate: "Chat.Example")
        for good in [
            "localhost", "localhost:8476", "LOCALHOST:1", "127.0.0.1:8476", "[::1]:8476", "10.0.2.2:8476",
            "chat.example:8476",
        ] {
            #expect(names.include(good), "\(good)")
        }
        for bad in [
            nil, "", ":80", "evil.example", "evil.example:8476", "localhost.evil.example:8476",
            "127.0.0.1.evil.example", "evil.example:8476]", "[::1].evil.example:1", "notchat.example",
            "localhost:1@evil.com", "127.0.0.1:8476#evil.com", "localhost@evil.com", "evil.com@localhost", "localhost:",
            "localhost:80:80", "localhost/", "local%68ost", "localhost, evil.com", "[::1", "[::1]8476",
        ] {
            #expect(!names.include(bad), "\(bad ?? "none")")
        }
        #expect(AllowedHosts(listening: "0.0.0.0", certificate: nil).include("anything.example"))
    }

    @Test("A second Host field is refused, whatever its value")
    func repeated() throws {
        let second: HTTPFields = [try #require(HTTPField.Name("Host")): "localhost:1"]
        #expect(!AllowedHosts(listening: "127.0.0.1", certificate: nil).include("localhost:1", second))
        #expect(!AllowedHosts(listening: "0.0.0.0", certificate: nil).include("anything.example", second))
    }

    @Test("A page with DNS rebinding gets neither REST nor a socket", arguments: [true, false])
    func rebinding(isKnown: Bool) async throws {
        let host = "chat.example"
        let authority = try ServerCertificateAuthority(host: host, now: CertificateFactory.referenceTime)
        var configuration = ChatDevServerConfiguration()
        configuration.tls = try authority.identity(for: .genuine)
        configuration.authority = isKnown ? authority : try ServerUnderTest.authority.get()
        try await ChatDevServer.with(configuration) { server in
            var address = try await server.started()
            address.host = host
            var transport = ServerUnderTest.transport(.system(anchors: .only([authority.root.view])))
            transport.hostOverrides = [host: "127.0.0.1"]
            let subject = ServerUnderTest(
                server: server, address: address, authority: authority, http: HTTPClient(configuration: transport),
                sockets: WebSocketClient(configuration: transport))
            for path in ["/", "/api/chat/config", "/files/x", "/nowhere"] {
                let status = try await subject.request(.get, path).status
                #expect((status == 421) == !isKnown, "\(path)")
            }
            if isKnown {
                _ = try await subject.join()
            } else {
                await #expect(throws: (any Error).self) { _ = try await subject.connect() }
            }
        }
    }
}
