import HTTPTypes
import HoldfastTestSupport
import HoldfastTransportTestSupport
import HoldfastTrust
import NIOCore
import Testing

@testable import HoldfastTransport

/// Names that resolve to this machine, with a client that refuses local addresses.
@Suite(.timeLimit(.minutes(1))) struct LocalAddressTests {
    /// Behaves like a resolver for which every name has the address 127.0.0.1.
    private struct LoopbackConnector: Connector {
        func connect(
            host: String, port: UInt16, timeout: Duration, on loop: any EventLoop,
            noting: @escaping @Sendable (any Channel) -> Void
        ) -> EventLoopFuture<any Channel> {
            SocketConnector().connect(host: "127.0.0.1", port: port, timeout: timeout, on: loop, noting: noting)
        }
    }

    private func status(refuses: Bool, overrides: [String: String] = [:]) async throws -> Int {
        let identity = try CertificateFactory().leaf(["cdn.example"], signedBy: nil)
        var settings = ScriptedServer.Settings(tls: ServerTLS(identity))
        settings.onRequest = { _ in [.respond("abc")] }
        return try await ScriptedServer.with(settings) { server in
            var configuration = TransportConfiguration(
                trust: .pinnedKeysOnly(PinnedKeysOnly(certificates: [identity.view])),
                clock: .fixed(CertificateFactory.referenceTime), hostOverrides: overrides)
            configuration.refusesLocalAddresses = refuses
            let client = HTTPClient(configuration: configuration, connector: LoopbackConnector())
            let request = HTTPRequest(
                method: .get, scheme: "https", authority: "cdn.example:\(server.port)", path: "/")
            do {
                return try await client.collect(request, upTo: 10).response.status.code
            } catch {
                #expect(server.requests.isEmpty)
                throw error
            }
        }
    }

    @Test func aNameThatResolvesToThisMachineIsRefused() async throws {
        #expect(try await status(refuses: false) == 200)
        let error = await #expect(throws: TransportError.self) { try await status(refuses: true) }
        #expect(error?.code == .localAddressRefused)
        #expect(error?.reason.contains("127.0.0.1") == true)
    }

    @Test func anOverrideMayUseALocalAddress() async throws {
        #expect(try await status(refuses: true, overrides: ["cdn.example": "127.0.0.1"]) == 200)
    }
}
