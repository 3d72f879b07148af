import HoldfastNIO
import HoldfastTestSupport
import HoldfastTransportTestSupport
import HoldfastTrust
import NIOCore
import NIOEmbedded
import NIOSSL

/// A pinned client and a TLS server, connected without a socket in virtual time.
struct TLSPair: Sendable {
    static let host = "chat.example.com"

    let loop = NIOAsyncTestingEventLoop()
    let client: NIOAsyncTestingChannel
    let server: NIOAsyncTestingChannel
    let handshake: PinnedHandshake
    let errors: ErrorLog

    /// Connects a client to a server with this identity, or to no server if `identity` is `nil`.
    init(
        _ identity: Identity?, trust: TrustContext, deadline: Duration = .seconds(30), host: String = TLSPair.host,
        options: TLSClientOptions = .standard
    ) async throws {
        let loop = self.loop
        let client = NIOAsyncTestingChannel(loop: loop)
        let server = NIOAsyncTestingChannel(loop: loop)
        let errors = ErrorLog()
        let tls = try PinnedTLSHandlerFactory(
            trust: trust, applicationProtocols: ["test/1"], clock: .fixed(CertificateFactory.referenceTime),
            deadline: deadline, options: options)
        if let identity {
            var settings = ServerTLS(identity)
            settings.applicationProtocols = ["test/1"]
            let context = try settings.context()
            try await loop.executeInContext {
                try server.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
            }
        }
        handshake = try await loop.executeInContext {
            let host = try CanonicalHost(host)
            let handshake = try tls.addHandlers(to: client.pipeline.syncOperations, host: host, port: 443)
            try client.pipeline.syncOperations.addHandler(errors.handler())
            return handshake
        }
        self.client = client
        self.server = server
        self.errors = errors
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: 443)
        try await server.connect(to: address)
        try await client.connect(to: address)
    }

    /// Transfers bytes in both directions until neither side has any left.
    func exchange() async throws {
        var moved = true
        while moved {
            moved = false
            while let bytes = try await client.readOutbound(as: ByteBuffer.self) {
                try await server.writeInbound(bytes)
                moved = true
            }
            while let bytes = try await server.readOutbound(as: ByteBuffer.self) {
                try await client.writeInbound(bytes)
                moved = true
            }
        }
    }
}
