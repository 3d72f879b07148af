import HoldfastNIO
import HoldfastTestSupport
import HoldfastTransportTestSupport
import HoldfastTrust
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import Testing

/// Tests the factories with swift-nio's bootstraps over real sockets.
@Suite("Pinned TLS in NIO's bootstraps")
struct BootstrapTests {
    private let root: Identity
    private let leaf: Identity

    init() throws {
        let factory = CertificateFactory()
        root = try factory.authority("Root")
        leaf = try factory.leaf(["localhost"], signedBy: root)
    }

    private func client(rightPin: Bool, alpn: [String] = ["h2", "http/1.1"]) throws -> PinnedTLSHandlerFactory {
        let strangers = [Pin(SPKIDigest(hashing: [1])), Pin(SPKIDigest(hashing: [2]))]
        let rule = PinningRule(
            host: try CanonicalHost("localhost"),
            pins: PinSet(rightPin ? [Pin(leaf.spkiDigest), strangers[0]] : strangers))
        let policy = try PinningPolicy(name: "bootstraps", rules: [rule])
        return try PinnedTLSHandlerFactory(
            trust: .policy(policy, anchors: .only([root.view])), applicationProtocols: alpn,
            clock: .fixed(CertificateFactory.referenceTime))
    }

    /// Runs a server that sends a greeting after each handshake and agrees to `h2`.
    private func withServer(_ body: (Int) async throws -> Void) async throws {
        var settings = ServerTLS(leaf)
        settings.applicationProtocols = ["h2"]
        let context = try settings.context()
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers([NIOSSLServerHandler(context: context), Greeter()])
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            try await body(try #require(server.localAddress?.port))
        } catch {
            try await server.close().get()
            throw error
        }
        try await server.close().get()
    }

    private final class Greeter: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard case TLSUserEvent.handshakeCompleted? = event as? TLSUserEvent else { return }
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "hello")), promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }

    /// Records what reaches an app's own handlers: the first bytes or the first error.
    private final class Collector: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let promise: EventLoopPromise<String>

        init(_ promise: EventLoopPromise<String>) {
            self.promise = promise
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            promise.succeed(String(buffer: unwrapInboundIn(data)))
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            promise.fail(error)
        }

        func channelInactive(context: ChannelHandlerContext) {
            promise.fail(ChannelError.eof)
        }
    }

    // MARK: NIOClientTCPBootstrap

    /// Connects with the universal bootstrap and returns what the app's own handlers received.
    private func greeting(
        from port: Int, _ client: PinnedTLSHandlerFactory, host: String = "localhost",
        onOutcome: (@Sendable (any Channel, Result<TLSFacts, any Error>) -> Void)? = nil
    ) async throws -> String {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let promise = loop.makePromise(of: String.self)
        let provider = PinnedTLSProvider<ClientBootstrap>(
            client, host: try CanonicalHost(host), port: UInt16(port), onOutcome: onOutcome)
        let channel = try await NIOClientTCPBootstrap(ClientBootstrap(group: loop), tls: provider)
            .enableTLS()
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Collector(promise))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        let result = await Result { try await promise.futureResult.get() }
        try? await channel.close().get()
        return try result.get()
    }

    @Test func universalBootstrapAcceptsThePinnedKey() async throws {
        let client = try client(rightPin: true)
        try await withServer { port in
            let facts = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: TLSFacts.self)
            let text = try await greeting(from: port, client) { channel, result in
                // Only the channel that is connected to the server counts.
                if channel.remoteAddress?.port == port {
                    facts.completeWith(result)
                } else {
                    facts.fail(ChannelError.eof)
                }
            }
            #expect(text == "hello")
            let settled = try await facts.futureResult.get()
            #expect(settled.applicationProtocol == "h2")
            #expect(settled.verdict.finding.code == .pinMatched)
        }
    }

    @Test func universalBootstrapRefusesAnotherKeyWithTheVerdict() async throws {
        let client = try client(rightPin: false)
        try await withServer { port in
            let outcome = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: TLSFacts.self)
            do {
                _ = try await greeting(from: port, client) { outcome.completeWith($1) }
                Issue.record("accepted")
            } catch let refusal as TrustRefusal {
                #expect(refusal.verdict.finding.code == .pinMismatch)
            }
            await #expect(throws: TrustRefusal.self) { try await outcome.futureResult.get() }
        }
    }

    /// The certificate is verified for the requested host, whatever address the socket is connected to.
    @Test func refusesACertificateForAnotherHost() async throws {
        let client = try client(rightPin: true)
        try await withServer { port in
            do {
                _ = try await greeting(from: port, client, host: "other.example")
                Issue.record("accepted")
            } catch let refusal as TrustRefusal {
                #expect(refusal.verdict.systemFinding?.code == .hostMismatch)
            }
        }
    }

    // MARK: Complete pipelines

    /// Follows the gRPC transport: the protocol's handlers come first, TLS is added below them, and ALPN is `h2`.
    private func negotiated(_ port: Int, _ client: PinnedTLSHandlerFactory, isActive: Bool) async throws -> String {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let promise = loop.makePromise(of: String.self)
        let host = try CanonicalHost("localhost")
        let add: @Sendable (any Channel) -> EventLoopFuture<Void> = { channel in
            channel.eventLoop.submit {
                _ = try client.addHandlers(
                    to: channel.pipeline.syncOperations, host: host, port: UInt16(port), position: .first)
            }
        }
        let channel = try await ClientBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let protocols = ApplicationProtocolNegotiationHandler { result, channel in
                        if case .negotiated(let name) = result { promise.succeed(name) }
                        return channel.eventLoop.makeSucceededVoidFuture()
                    }
                    try channel.pipeline.syncOperations.addHandlers([protocols, Collector(promise)])
                }.flatMap { isActive ? channel.eventLoop.makeSucceededVoidFuture() : add(channel) }
            }
            // An active channel must not read before TLS is in place.
            .channelOption(.autoRead, value: !isActive)
            .connect(host: "127.0.0.1", port: port).get()
        if isActive {
            try await add(channel).get()
            try await channel.setOption(.autoRead, value: true).get()
        }
        let result = await Result { try await promise.futureResult.get() }
        try? await channel.close().get()
        return try result.get()
    }

    @Test(arguments: [false, true]) func addsTLSBelowExistingHandlers(_ isActive: Bool) async throws {
        let (right, wrong) = (try client(rightPin: true, alpn: ["h2"]), try client(rightPin: false, alpn: ["h2"]))
        try await withServer { port in
            let name = try await negotiated(port, right, isActive: isActive)
            #expect(name == "h2")
            do {
                _ = try await negotiated(port, wrong, isActive: isActive)
                Issue.record("accepted")
            } catch let refusal as TrustRefusal {
                #expect(refusal.verdict.finding.code == .pinMismatch)
            }
        }
    }

    /// A single handler adds the others.
    @Test func singleHandlerAddsTheOthers() async throws {
        let (right, wrong) = (try client(rightPin: true), try client(rightPin: false))
        try await withServer { port in
            for (client, isAccepted) in [(right, true), (wrong, false)] {
                let loop = MultiThreadedEventLoopGroup.singleton.any()
                let promise = loop.makePromise(of: String.self)
                let host = try CanonicalHost("localhost")
                let channel = try await ClientBootstrap(group: loop)
                    .channelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.syncOperations.addHandlers([
                                client.makeHandler(host: host), Collector(promise),
                            ])
                        }
                    }
                    .connect(host: "127.0.0.1", port: port).get()
                let result = await Result { try await promise.futureResult.get() }
                try? await channel.close().get()
                switch result {
                case .success(let text):
                    #expect(isAccepted)
                    #expect(text == "hello")
                case .failure(let error):
                    #expect(!isAccepted)
                    #expect(error is TrustRefusal)
                }
            }
        }
    }
}

extension Result where Failure == any Error {
    /// Captures the result of `body`.
    fileprivate init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
