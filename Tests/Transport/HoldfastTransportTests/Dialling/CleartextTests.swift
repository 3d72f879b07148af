import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import NIOCore
import NIOEmbedded
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

/// Requests without TLS stay on this machine, whatever a name server returns for loopback names.
@Suite(.timeLimit(.minutes(1))) struct CleartextTests {
    /// A name server that the attacker controls: it returns a false address for every name.
    private final class LyingResolver: Resolver, Sendable {
        private let count = Mutex(0)
        var queries: Int { count.withLock { $0 } }

        func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
            count.withLock { $0 += 1 }
            return MultiThreadedEventLoopGroup.singleton.any().makeCompletedFuture {
                [try SocketAddress(ipAddress: "203.0.113.5", port: port)]
            }
        }

        func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
            count.withLock { $0 += 1 }
            return MultiThreadedEventLoopGroup.singleton.any().makeSucceededFuture([])
        }

        func cancelQueries() {}
    }

    /// Opens channels to addresses that a test sets, and records the requested addresses.
    private final class FarConnector: Connector {
        let loop = NIOAsyncTestingEventLoop()
        private let state = Mutex<(hosts: [String], channels: [NIOAsyncTestingChannel])>(([], []))
        private let peer: @Sendable (String) -> String?
        var hosts: [String] { state.withLock { $0.hosts } }
        var channels: [NIOAsyncTestingChannel] { state.withLock { $0.channels } }

        /// Returns where a connection to a host leads, or `nil` if it is refused.
        init(_ peer: @escaping @Sendable (String) -> String?) {
            self.peer = peer
        }

        func connect(
            host: String, port: UInt16, timeout: Duration, on loop: any EventLoop,
            noting: @escaping @Sendable (any Channel) -> Void
        ) -> EventLoopFuture<any Channel> {
            state.withLock { $0.hosts.append(host) }
            guard let peer = peer(host) else {
                return loop.makeFailedFuture(IOError(errnoCode: ECONNREFUSED, reason: host))
            }
            let channel = NIOAsyncTestingChannel(loop: self.loop)
            state.withLock { $0.channels.append(channel) }
            noting(channel)
            return loop.makeCompletedFuture { try SocketAddress(ipAddress: peer, port: Int(port)) }
                .flatMap { channel.connect(to: $0) }.map { channel as any Channel }
        }
    }

    @Test(arguments: ["localhost", "api.localhost", "A.LocalHost."])
    func loopbackNamesAreNotLookedUp(host: String) async throws {
        let resolver = LyingResolver()
        try await ScriptedServer.with { _ in
            [.respond("x")]
        } _: { server in
            let client = HTTPClient(
                configuration: .forPlainServers, connector: SocketConnector(resolver: resolver))
            let answer = try await client.collect(
                HTTPRequest(port: server.port, host: host, scheme: "http"), upTo: 9)
            #expect(answer.text == "x")
            #expect(resolver.queries == 0)
        }
    }

    @Test func bothLoopbackAddressesAreTried() async throws {
        let connector = FarConnector { $0 == "::1" ? "::1" : nil }
        let client = HTTPClient(configuration: .forPlainServers, connector: connector, loops: connector.loop)
        async let answer = client.collect(HTTPRequest(port: 1, host: "localhost", scheme: "http"), upTo: 9)
        while connector.channels.isEmpty { await Task.yield() }
        let channel = connector.channels[0]
        _ = try await channel.waitForOutboundWrite(as: ByteBuffer.self)
        try await channel.writeInbound(ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"))
        #expect(try await answer.text == "x")
        #expect(connector.hosts == ["127.0.0.1", "::1"])
    }

    @Test func ifBothFailTheFirstIsReported() async throws {
        let connector = FarConnector { _ in nil }
        let client = HTTPClient(configuration: .forPlainServers, connector: connector, loops: connector.loop)
        let error = try await transportError {
            _ = try await client.collect(HTTPRequest(port: 1, host: "localhost", scheme: "http"), upTo: 9)
        }
        #expect(error.code == .connectionRefused)
        #expect(connector.hosts == ["127.0.0.1", "::1"])
    }

    /// If a connection leads to a different machine after all, no byte is sent on it.
    @Test(arguments: ["a.localhost", "127.0.0.1"])
    func aRemotePeerReceivesNoByte(host: String) async throws {
        let connector = FarConnector { _ in "203.0.113.5" }
        let client = HTTPClient(configuration: .forPlainServers, connector: connector, loops: connector.loop)
        let error = try await transportError {
            _ = try await client.collect(HTTPRequest(port: 1, host: host, scheme: "http"), upTo: 9)
        }
        #expect(error.code == .cleartextRefused)
        #expect(connector.channels.count == 1)
        #expect(try await connector.channels[0].readOutbound(as: ByteBuffer.self) == nil)
        await client.untilAllAreClosed()
        #expect(!connector.channels[0].isActive)
    }

    /// If the app allows cleartext, other names are looked up as usual.
    @Test func withCleartextAllowedNamesAreLookedUp() async throws {
        let connector = FarConnector { _ in "203.0.113.5" }
        var configuration = TransportConfiguration.forPlainServers
        configuration.dangerouslyAllowsCleartext = true
        let client = HTTPClient(configuration: configuration, connector: connector, loops: connector.loop)
        async let answer = client.collect(HTTPRequest(port: 1, host: "api.example.com", scheme: "http"), upTo: 9)
        while connector.channels.isEmpty { await Task.yield() }
        let channel = connector.channels[0]
        _ = try await channel.waitForOutboundWrite(as: ByteBuffer.self)
        try await channel.writeInbound(ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"))
        #expect(try await answer.text == "x")
        #expect(connector.hosts == ["api.example.com"])
    }
}
