import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Logging
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

/// The dialler alone: network errors, the connections that it returns, and the bytes that it holds back.
@Suite struct DiallerTests {
    /// A connector that fails or never returns, as a test sets it.
    private struct FakeConnector: Connector {
        var outcome: @Sendable (any EventLoop) -> EventLoopFuture<any Channel>

        func connect(
            host: String, port: UInt16, timeout: Duration, on loop: any EventLoop,
            noting: @escaping @Sendable (any Channel) -> Void
        ) -> EventLoopFuture<any Channel> {
            outcome(loop)
        }
    }

    private func error(_ failure: any Error) async throws -> TransportError {
        let dialler = NetworkDialler(
            configuration: .forPlainServers, connector: FakeConnector { $0.makeFailedFuture(failure) })
        return try await transportError {
            _ = try await dialler.dial(
                DialTarget(host: CanonicalHost("127.0.0.1"), port: 1, security: .plain),
                deadlines: DialDeadlines(connect: .seconds(1), tls: .seconds(1)),
                on: NetworkDialler.eventLoops.next()
            ).get()
        }
    }

    @Test func systemErrorsAreNamed() async throws {
        for (number, code) in [
            (ECONNREFUSED, TransportError.Code.connectionRefused), (ENETUNREACH, .noConnectivity),
            (EHOSTUNREACH, .noConnectivity), (ENETDOWN, .noConnectivity), (ETIMEDOUT, .timedOut),
            (EACCES, .connectionRefused),
        ] {
            let error = try await error(IOError(errnoCode: number, reason: "test"))
            #expect(error.code == code)
            #expect(error.phase == .connecting)
            #expect(error.attempts.first?.errno == number)
        }
        let timeout = try await error(ChannelError.connectTimeout(.seconds(1)))
        #expect(timeout.code == .timedOut)
        #expect(timeout.phase == .connecting)
    }

    @Test func noServerListens() async throws {
        let client = HTTPClient(configuration: .forPlainServers)
        let error = try await RefusingPort.with { port in
            try await transportError { _ = try await client.collect(.plain(port: port), upTo: 9) }
        }
        #expect(error.code == .connectionRefused)
        #expect(error.attempts.first?.errno == ECONNREFUSED)
        #expect(error.attempts.first?.address.contains("127.0.0.1") == true)
    }

    /// RFC 6761, 6.4: `.invalid` never resolves.
    @Test func aNameThatDoesNotExist() async throws {
        let client = HTTPClient(configuration: TransportConfiguration(trust: .system(anchors: .only([]))))
        let error = try await transportError {
            _ = try await client.collect(HTTPRequest(port: 1, host: "nobody.invalid"), upTo: 9)
        }
        // Without a network the name server cannot be asked.
        #expect(error.code == .unresolvedHost || error.code == .noConnectivity)
    }

    /// The first of two addresses refuses the connection. The second one is tried (RFC 8305), and verified for the
    /// same name.
    @Test func severalAddressesAreTried() async throws {
        struct TwoAddresses: Resolver {
            func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
                let loop = MultiThreadedEventLoopGroup.singleton.any()
                return loop.makeCompletedFuture {
                    // No server listens at the first address: the port is bound only to 127.0.0.1.
                    [
                        try SocketAddress(ipAddress: "127.0.0.77", port: port),
                        try SocketAddress(ipAddress: "127.0.0.1", port: port),
                    ]
                }
            }

            func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
                MultiThreadedEventLoopGroup.singleton.any().makeSucceededFuture([])
            }

            func cancelQueries() {}
        }
        let world = try PinnedWorld()
        try await ScriptedServer.with(tls: ServerTLS(world.leaf)) { _ in
            [.respond("x")]
        } _: { server in
            let configuration = TransportConfiguration(trust: world.trust, clock: .fixed(world.factory.now))
            let client = HTTPClient(
                configuration: configuration, connector: SocketConnector(resolver: TwoAddresses()))
            let answer = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
            #expect(answer.text == "x")
        }
    }

    /// Bytes that arrive with the end of the handshake, before the protocol's handlers are added, are not lost.
    @Test func earlyBytesAreHeldBack() async throws {
        let world = try PinnedWorld()
        var settings = ScriptedServer.Settings(tls: ServerTLS(world.leaf))
        settings.onConnect = [.text("early bird")]
        try await ScriptedServer.with(settings) { server in
            let dialler = NetworkDialler(configuration: world.configuration())
            let loop = NetworkDialler.eventLoops.next()
            let dialled = try await dialler.dial(
                DialTarget(host: CanonicalHost(PinnedWorld.host), port: server.port, security: .tls(alpn: [])),
                deadlines: DialDeadlines(connect: .seconds(9), tls: .seconds(9)), on: loop
            ).get()
            #expect(dialled.channel.eventLoop === loop)
            #expect(dialler.live.map(\.id) == [dialled.id])
            // The bytes arrive here, and no handler may read them yet.
            try await Task.sleep(for: .milliseconds(20))  // reason: the arrival cannot be observed
            let read = try await loop.flatSubmit {
                let promise = loop.makePromise(of: String.self)
                do {
                    try dialled.channel.pipeline.syncOperations.addHandler(Collector(10, promise))
                } catch {
                    promise.fail(error)
                }
                dialled.begin()
                return promise.futureResult
            }.get()
            #expect(read == "early bird")
            dialled.cut()
            try await dialled.channel.closeFuture.get()
            #expect(dialler.live.isEmpty)
        }
    }

    private final class Collector: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let count: Int
        private let promise: EventLoopPromise<String>
        private var text = ""

        init(_ count: Int, _ promise: EventLoopPromise<String>) {
            self.count = count
            self.promise = promise
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            text += String(buffer: unwrapInboundIn(data))
            if text.utf8.count >= count { promise.succeed(text) }
        }

        func channelInactive(context: ChannelHandlerContext) {
            promise.fail(ChannelError.eof)
        }
    }

    @Test func theNegotiatedProtocolIsReported() async throws {
        let world = try PinnedWorld()
        var tls = ServerTLS(world.leaf)
        tls.applicationProtocols = ["http/1.1"]
        try await ScriptedServer.with(tls: tls) { _ in
            [.respond()]
        } _: { server in
            let client = HTTPClient(configuration: world.configuration())
            let facts = try await client.collect(HTTPRequest(port: server.port), upTo: 9).facts
            #expect(facts.applicationProtocol == "http/1.1")
        }
    }

    /// Connections are logged at debug, refusals at warning, and headers and bodies never.
    @Test func refusalsAreLogged() async throws {
        let world = try PinnedWorld()
        let recording = RecordingLogHandler()
        try await ScriptedServer.with(tls: ServerTLS(world.rogue)) { _ in
            [.respond()]
        } _: { server in
            let client = HTTPClient(configuration: world.configuration(), logger: recording.logger())
            _ = try await transportError {
                _ = try await client.collect(
                    HTTPRequest(.post, port: server.port, [.authorization: "hunter2"]), body: .bytes([1]), upTo: 9)
            }
        }
        let refusals = recording.entries.filter { $0.level >= .warning }
        #expect(refusals.count == 1)
        #expect("\(refusals)".contains("unknownIssuer"))
        #expect(!"\(recording.entries)".contains("hunter2"))
    }
}
