import ExampleServer
import HoldfastNIO
import HoldfastTrust
import NIOCore
import NIOHTTP1
import NIOPosix

/// Pins in your own pipelines: swift-nio's bootstraps with `PinnedTLSHandlerFactory`.
@main
struct NIOPipelineExample {
    static func main() async throws {
        let identity = try ExampleIdentity()
        let server = try await ExampleHTTPServer.start(identity)
        let host = try CanonicalHost("localhost")

        for rightPin in [true, false] {
            // Create one factory for the whole app: it holds the TLS context and the cache of verdicts.
            let tls = try PinnedTLSHandlerFactory(
                trust: try identity.trust(rightPin: rightPin), applicationProtocols: ["http/1.1"])
            try await report("ClientBootstrap", rightPin) { try await clientBootstrap(tls, host, server.port) }
            try await report("NIOClientTCPBootstrap", rightPin) {
                try await universalBootstrap(tls, host, server.port)
            }
        }
        guard server.requests == 2 else { throw Unexpected("the server saw \(server.requests) requests") }
        try await server.stop()
    }

    /// Connects with `ClientBootstrap`. The TLS handlers are added before your own.
    static func clientBootstrap(_ tls: PinnedTLSHandlerFactory, _ host: CanonicalHost, _ port: Int) async throws
        -> String
    {
        let (channel, handshake) = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    let handshake = try tls.addHandlers(to: pipeline, host: host, port: UInt16(port))
                    try pipeline.addHTTPClientHandlers()
                    let channel = try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
                        wrappingChannelSynchronously: channel)
                    return (channel, handshake)
                }
            }
        // The TCP connection is established. This waits for TLS and throws `TrustRefusal` with the verdict.
        do {
            _ = try await handshake.outcome.get()
        } catch {
            try? await channel.channel.close().get()
            throw error
        }
        return try await channel.executeThenClose { inbound, outbound in
            try await get(inbound, outbound)
        }
    }

    /// Connects with `NIOClientTCPBootstrap`. The provider adds TLS below the handlers of the initializer.
    static func universalBootstrap(_ tls: PinnedTLSHandlerFactory, _ host: CanonicalHost, _ port: Int) async throws
        -> String
    {
        let outcomes = AsyncStream.makeStream(of: (ObjectIdentifier, Result<TLSFacts, any Error>).self)
        let provider = PinnedTLSProvider<ClientBootstrap>(tls, host: host, port: UInt16(port)) { channel, result in
            outcomes.continuation.yield((ObjectIdentifier(channel), result))
        }
        let group = MultiThreadedEventLoopGroup.singleton
        let channel = try await NIOClientTCPBootstrap(ClientBootstrap(group: group), tls: provider)
            .enableTLS()
            .channelInitializer { $0.pipeline.addHTTPClientHandlers() }
            .connect(host: "localhost", port: port)
            .get()
        // A name with several addresses starts several connections. Only the result of this one counts.
        for await (identifier, result) in outcomes.stream where identifier == ObjectIdentifier(channel) {
            if case .failure(let error) = result {
                try? await channel.close().get()
                throw error
            }
            break
        }
        let wrapped = try await channel.eventLoop.submit {
            try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(wrappingChannelSynchronously: channel)
        }.get()
        return try await wrapped.executeThenClose { inbound, outbound in
            try await get(inbound, outbound)
        }
    }

    static func get(
        _ inbound: NIOAsyncChannelInboundStream<HTTPClientResponsePart>,
        _ outbound: NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>
    ) async throws -> String {
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: ["Host": "localhost"])
        try await outbound.write(.head(head))
        try await outbound.write(.end(nil))
        var text = ""
        for try await part in inbound {
            switch part {
            case .head: continue
            case .body(let buffer): text += String(buffer: buffer)
            case .end: return text
            }
        }
        throw Unexpected("the connection ended early")
    }

    static func report(
        _ name: String, _ rightPin: Bool, _ body: @Sendable () async throws -> String
    ) async throws {
        do {
            let text = try await body()
            guard rightPin else { throw Unexpected("\(name): a server with the wrong key was accepted") }
            print("\(name): accepted, and said \(text)")
        } catch let refusal as TrustRefusal {
            guard !rightPin else { throw refusal }
            print("\(name): refused, \(refusal.verdict.finding.code)")
        }
    }
}
