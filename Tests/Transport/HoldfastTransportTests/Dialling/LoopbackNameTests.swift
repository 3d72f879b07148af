import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import NIOCore
import NIOPosix
import Synchronization
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// `localhost` and its subdomains use the loopback addresses without a resolver (RFC 6761, 6.3), because a machine
/// without a hosts file cannot resolve them.
@Suite(.timeLimit(.minutes(1))) struct LoopbackNameTests {
    /// A resolver that knows no name and counts its queries.
    private final class EmptyResolver: Resolver, Sendable {
        struct Unknown: Error {}
        private let count = Mutex(0)
        var queries: Int { count.withLock(\.self) }

        func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { refuse() }
        func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { refuse() }
        func cancelQueries() {}

        private func refuse() -> EventLoopFuture<[SocketAddress]> {
            count.withLock { $0 += 1 }
            return MultiThreadedEventLoopGroup.singleton.any().makeFailedFuture(Unknown())
        }
    }

    /// Refuses every connection, and records the requested addresses.
    private final class RefusingConnector: Connector {
        private let asked = Mutex<[String]>([])
        var hosts: [String] { asked.withLock(\.self) }

        func connect(
            host: String, port: UInt16, timeout: Duration, on loop: any EventLoop,
            noting: @escaping @Sendable (any Channel) -> Void
        ) -> EventLoopFuture<any Channel> {
            asked.withLock { $0.append(host) }
            return loop.makeFailedFuture(IOError(errnoCode: ECONNREFUSED, reason: host))
        }
    }

    private static let names = ["localhost", "LocalHost", "localhost.", "api.localhost", "A.B.LOCALHOST."]

    @Test(arguments: names, ScriptedVersion.allCases)
    func tlsNeedsNoResolver(name: String, version: ScriptedVersion) async throws {
        let factory = CertificateFactory()
        let root = try factory.authority("Root")
        let leaf = try factory.leaf(["localhost", "api.localhost", "a.b.localhost"], signedBy: root)
        let resolver = EmptyResolver()
        try await ScriptedServer.with(tls: ServerTLS(leaf), version: version) { _ in
            [.respond("x")]
        } _: { server in
            let configuration = TransportConfiguration(
                trust: .system(anchors: .only([root.view])), clock: .fixed(factory.now))
            let client = HTTPClient(configuration: configuration, connector: SocketConnector(resolver: resolver))
            let answer = try await client.collect(HTTPRequest(port: server.port, host: name), upTo: 9)
            #expect(answer.text == "x")
            #expect(answer.facts.remoteAddress.hasPrefix("127.0.0.1:"))
        }
        #expect(resolver.queries == 0)
    }

    @Test(arguments: names)
    func cleartextNeedsNoResolver(name: String) async throws {
        for isAllowed in [false, true] {
            let resolver = EmptyResolver()
            var configuration = TransportConfiguration.forPlainServers
            configuration.dangerouslyAllowsCleartext = isAllowed
            try await ScriptedServer.with { _ in
                [.respond("x")]
            } _: { [configuration] server in
                let client = HTTPClient(configuration: configuration, connector: SocketConnector(resolver: resolver))
                let request = HTTPRequest(port: server.port, host: name, scheme: "http")
                let answer = try await client.collect(request, upTo: 9)
                #expect(answer.text == "x")
            }
            #expect(resolver.queries == 0)
        }
    }

    /// An override and a proxy that are configured with a loopback name.
    @Test func overridesAndProxiesNeedNoResolver() async throws {
        let connector = RefusingConnector()
        var configuration = TransportConfiguration()
        configuration.hostOverrides = ["api.example.com": "LOCALHOST."]
        let client = HTTPClient(configuration: configuration, connector: connector)
        _ = try await transportError {
            _ = try await client.collect(HTTPRequest(port: 1, host: "api.example.com"), upTo: 9)
        }
        #expect(connector.hosts == ["127.0.0.1", "::1"])
        configuration.hostOverrides = [:]
        configuration.proxies = .server(try ProxyServer("http://proxy.localhost:3128"))
        let other = RefusingConnector()
        let proxied = HTTPClient(configuration: configuration, connector: other)
        _ = try await transportError {
            _ = try await proxied.collect(HTTPRequest(port: 443, host: "api.example.com"), upTo: 9)
        }
        #expect(other.hosts == ["127.0.0.1", "::1"])
    }

    @Test(arguments: ["http", "https"])
    func bothAddressesAreTried(scheme: String) async throws {
        let connector = RefusingConnector()
        let client = HTTPClient(configuration: .forPlainServers, connector: connector)
        let error = try await transportError {
            _ = try await client.collect(HTTPRequest(port: 1, host: "localhost", scheme: scheme), upTo: 9)
        }
        #expect(error.code == .connectionRefused)
        #expect(connector.hosts == ["127.0.0.1", "::1"])
    }

    /// A name that only looks similar is looked up like any other name.
    @Test(arguments: ["localhost.example.com", "notlocalhost", "localhost.localdomain"])
    func otherNamesAreLookedUp(name: String) async throws {
        let resolver = EmptyResolver()
        let client = HTTPClient(configuration: .forPlainServers, connector: SocketConnector(resolver: resolver))
        _ = try await transportError {
            _ = try await client.collect(HTTPRequest(port: 1, host: name), upTo: 9)
        }
        #expect(resolver.queries == 2)
    }
}
