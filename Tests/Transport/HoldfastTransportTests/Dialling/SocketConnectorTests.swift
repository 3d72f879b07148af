import HoldfastTransport
import HoldfastTransportTestSupport
import NIOCore
import NIOPosix
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

@Suite(.timeLimit(.minutes(1))) struct SocketConnectorTests {
    /// On Linux `TCP_NODELAY` has the same number as `SO_DEBUG`, which only root may set. With the wrong level, other
    /// users could not connect.
    @Test func anyUserMaySetItsOptions() async throws {
        try await ScriptedServer.with { _ in
            [.respond("x")]
        } _: { server in
            let loop = MultiThreadedEventLoopGroup.singleton.any()
            let channel = try await SocketConnector().connect(
                host: "127.0.0.1", port: UInt16(server.port), timeout: .seconds(5), on: loop, noting: { _ in }
            ).get()
            #expect(try await channel.getOption(.tcpOption(.tcp_nodelay)).get() != 0)
            #expect(try await channel.getOption(.socketOption(.so_keepalive)).get() != 0)
            #expect(try await channel.getOption(.socketOption(.init(rawValue: SO_DEBUG))).get() == 0)
            try await channel.close()
        }
    }
}
