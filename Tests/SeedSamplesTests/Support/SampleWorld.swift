import Foundation
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastNetworking

/// The servers that the samples connect to. Their certificates are valid around the factory's time.
struct SampleWorld {
    static let host = "api.example.com"
    let factory = CertificateFactory()
    let root: Identity
    let leaf: Identity
    let renewed: Identity
    let other: Identity
    let selfSigned: Identity
    let stranger: Identity

    init() throws {
        root = try factory.authority("Root")
        leaf = try factory.leaf([Self.host], signedBy: root)
        var options = CertificateOptions()
        options.key = leaf.key
        renewed = try factory.leaf([Self.host], signedBy: root, options)
        other = try factory.leaf([Self.host], signedBy: root)
        selfSigned = try factory.leaf([Self.host], signedBy: nil)
        stranger = try factory.leaf([Self.host], signedBy: nil)
    }

    var anchors: TrustAnchors { .only([root.view]) }

    private func configuration(_ trust: TrustContext = .system()) -> TransportConfiguration {
        TransportConfiguration(
            trust: trust, clock: .fixed(factory.now), hostOverrides: [Self.host: "127.0.0.1"])
    }

    /// The transport of the samples, with the test root in place of the machine's roots.
    func pinning(_ table: [String: any ServerTrustEvaluator]) -> PinningTransport {
        PinningTransport(pinnedDomains: table, anchors: anchors, configuration: configuration())
    }

    func transport(_ trust: TrustContext) -> HTTPClientTransport {
        HTTPClientTransport(configuration: configuration(trust))
    }

    /// The configuration that a session needs to reach the test servers.
    var options: PinnedSessionOptions { PinnedSessionOptions(transport: configuration()) }

    /// Sends a request to a server with this identity. Returns the finding that refused it, or `nil`.
    func refusal(of identity: Identity, by transport: any HTTPTransportProtocol) async throws -> TrustFinding.Code? {
        try await ScriptedServer.with(tls: ServerTLS(identity)) { _ in
            [.respond("ok")]
        } _: { server in
            do {
                let url = URL(string: "https://\(Self.host):\(server.port)/")
                guard let url else { throw URLError(.badURL) }
                _ = try await transport.data(for: URLRequest(url: url))
                return nil
            } catch let error as TransportError {
                guard let verdict = error.verdict else { throw error }
                return verdict.finding.code
            }
        }
    }

    /// Expects that the server is accepted. Otherwise the test fails with the reason.
    func expectAccepted(
        _ identity: Identity, by transport: any HTTPTransportProtocol, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let refusal = try await refusal(of: identity, by: transport)
        #expect(refusal == nil, sourceLocation: sourceLocation)
    }
}
