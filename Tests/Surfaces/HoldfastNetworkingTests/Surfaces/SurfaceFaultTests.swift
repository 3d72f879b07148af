import Foundation
import HTTPTypes
import HoldfastNetworking
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Every surface over a faulty network. The result is the server's complete text or a typed error.
@Suite(.timeLimit(.minutes(2))) struct SurfaceFaultTests {
    private static let host = "api.example.com"
    private static let text = "[\"" + String(repeating: "Keep fast hold of it. ", count: 500) + "\"]"

    /// Offsets in the handshake, the head, the body and the end of the connection.
    private static let faults: [(name: String, plan: FaultPlan)] = {
        let kinds: [InjectedFault.Kind] = [.close, .reset, .halfClose, .corrupt(1), .duplicate(9), .inject([0x15, 3])]
        return kinds.flatMap { kind in
            [0, 20, 90, 700, 2_500, 9_000].map { offset in
                ("\(kind) after \(offset) to the client", FaultPlan(toClient: [InjectedFault(kind, after: offset)]))
            }
                + [0, 20, 120, 400, 700].map { offset in
                    ("\(kind) after \(offset) to the server", FaultPlan(toServer: [InjectedFault(kind, after: offset)]))
                }
        }
    }()

    @Test(arguments: Surface.http, [ScriptedVersion.http1, .http2])
    func theServersTextOrATypedErrorResults(surface: Surface, version: ScriptedVersion) async throws {
        let factory = CertificateFactory()
        let root = try factory.authority("Root")
        let pinned = try factory.leaf([Self.host], signedBy: root)
        let pin = PublicKeyPinningEvaluator(
            pinnedKeyHashes: [Data(pinned.spkiDigest.bytes)], anchors: .only([root.view]), clock: .fixed(factory.now))
        let trust = TrustContext.evaluators([Self.host: pin], anchors: .only([root.view]))
        var configuration = TransportConfiguration(
            trust: trust, clock: .fixed(factory.now), hostOverrides: [Self.host: "127.0.0.1"])
        let patient = configuration
        // A fault that changes the length of a TLS record makes both ends wait for more bytes.
        configuration.tlsTimeout = .seconds(2)
        try await ScriptedServer.with(tls: ServerTLS(pinned), version: version) { _ in
            [.respond(Self.text)]
        } _: { [configuration] server in
            let text = try await surface.fetch("\(Self.host):\(server.port)", patient)
            #expect(text == Self.text)
            var failures = 0
            for (name, plan) in Self.faults {
                do {
                    let text = try await FaultProxy.with(to: server.port, plan: { _ in plan }) { proxy in
                        try await surface.fetch("\(Self.host):\(proxy.port)", configuration)
                    }
                    #expect(text == Self.text, "\(name)")
                } catch {
                    failures += 1
                    #expect(Self.isTyped(error), "\(name): \(error)")
                }
            }
            // Every fault in the bytes to the client makes the request fail.
            #expect(failures >= Self.faults.count(where: { !$0.plan.toClient.isEmpty }))
        }
    }

    /// Whether an error has a type of the library that says what failed, or contains such an error.
    private static func isTyped(_ error: any Error) -> Bool {
        if let error = error as? URLError {
            #if canImport(FoundationNetworking)
            return error.transportError != nil
            #else
            return true
            #endif
        }
        return error is TransportError || error is TransferError
    }
}
