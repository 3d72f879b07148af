import ExampleServer
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import HoldfastNIO
import HoldfastTrust
import NIOCore
import Synchronization

/// Pins for grpc-swift 2, over its NIO transport.
///
/// The transport's own TLS also has a verification callback. It is ignored with `.noVerification`, and followed by a
/// second check of names with `.fullVerification`. Its error never reaches the caller. With `.customSecure` (2.8 and
/// later), the caller provides TLS. This example uses `PinnedTLSHandlerFactory` for it.
@main
struct GRPCClientExample {
    static let method = MethodDescriptor(fullyQualifiedService: "example.Echo", method: "Say")

    static func main() async throws {
        let identity = try ExampleIdentity()
        try await withServer(identity) { port in
            for rightPin in [true, false] {
                let refusals = Refusals()
                do {
                    let answer = try await say("hello", port: port, trust: identity.trust(rightPin: rightPin), refusals)
                    guard rightPin else { throw Unexpected("a server with the wrong key was accepted") }
                    print("grpc-swift: accepted, and said \(answer)")
                } catch let error as RPCError {
                    guard !rightPin else { throw error }
                    guard let verdict = refusals.last else { throw Unexpected("no verdict, but \(error)") }
                    print("grpc-swift: refused, \(verdict.finding.code) (the call: \(error.code))")
                }
            }
        }
    }

    /// Returns a transport whose connections Holdfast verifies. Copy this function.
    static func pinnedTransport(
        to host: String, port: Int, trust: TrustContext, _ refusals: Refusals
    ) throws -> HTTP2ClientTransport.Posix {
        let tls = try PinnedTLSHandlerFactory(trust: trust, applicationProtocols: ["h2"])
        let name = try CanonicalHost(host)
        var config = HTTP2ClientTransport.Posix.Config.defaults
        config.channelDebuggingCallbacks.onCreateTCPConnection = { channel in
            channel.eventLoop.makeCompletedFuture {
                // The transport has already added its HTTP/2 handlers. TLS is added before them.
                let handshake = try tls.addHandlers(
                    to: channel.pipeline.syncOperations, host: name, port: UInt16(exactly: port), position: .first)
                handshake.outcome.whenFailure { refusals.add($0) }
            }
        }
        return try HTTP2ClientTransport.Posix(
            target: .dns(host: host, port: port), transportSecurity: .customSecure, config: config)
    }

    /// Stores the verdicts of refused connections, because the transport only reports that there is no connection.
    final class Refusals: Sendable {
        private let verdicts = Mutex<[TrustVerdict]>([])

        var last: TrustVerdict? { verdicts.withLock { $0.last } }

        func add(_ error: any Error) {
            guard let refusal = error as? TrustRefusal else { return }
            verdicts.withLock { $0 = $0.suffix(15) + [refusal.verdict] }
        }
    }

    static func say(
        _ text: String, port: Int, trust: TrustContext, _ refusals: Refusals
    ) async throws -> String {
        let transport = try pinnedTransport(to: "localhost", port: port, trust: trust, refusals)
        return try await withGRPCClient(transport: transport) { client in
            var options = CallOptions.defaults
            // Without this, the transport retries a failed connection until the call's timeout.
            options.waitForReady = false
            options.timeout = .seconds(20)
            return try await client.unary(
                request: ClientRequest(message: text), descriptor: method, serializer: Text(), deserializer: Text(),
                options: options
            ) { try $0.message }
        }
    }

    static func withServer(
        _ identity: ExampleIdentity, _ body: @Sendable @escaping (Int) async throws -> Void
    ) async throws {
        let transport = HTTP2ServerTransport.Posix(
            address: .ipv4(host: "127.0.0.1", port: 0),
            transportSecurity: .tls(
                certificateChain: identity.chain.map { .bytes($0, format: .der) },
                privateKey: .bytes(Array(identity.privateKeyPEM.utf8), format: .pem)))
        try await withGRPCServer(transport: transport, services: [Echo()]) { _ in
            guard let port = try await transport.listeningAddress.ipv4?.port else {
                throw Unexpected("the server does not listen")
            }
            try await body(port)
        }
    }

    struct Echo: RegistrableRPCService {
        func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
            router.registerHandler(
                forMethod: method, deserializer: Text(), serializer: Text()
            ) { request, _ in
                StreamingServerResponse { writer in
                    for try await message in request.messages { try await writer.write(message) }
                    return [:]
                }
            }
        }
    }

    struct Text: MessageSerializer, MessageDeserializer {
        func serialize<Bytes: GRPCContiguousBytes>(_ message: String) throws -> Bytes {
            Bytes(message.utf8)
        }

        func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) throws -> String {
            bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        }
    }
}
