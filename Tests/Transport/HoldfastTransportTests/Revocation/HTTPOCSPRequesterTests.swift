import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Synchronization
import Testing

/// Requests to OCSP responders on the wire. `RevocationRequesterTests` has the rules that are common to both
/// requesters.
@Suite(.timeLimit(.minutes(1))) struct HTTPOCSPRequesterTests {
    private let world: PinnedWorld

    init() throws {
        world = try PinnedWorld()
    }

    /// End to end: the client asks the responder in the certificate, and applies its response.
    @Test(arguments: [true, false])
    func theResponderIsAsked(isRevoked: Bool) async throws {
        let issuer = world.root
        let now = world.factory.now
        let subject = Mutex<Identity?>(nil)
        let responder = try await ScriptedServer.start { _ in
            var responder = OCSPResponder(issuer: issuer, now: now)
            if isRevoked { responder.status = .revoked(now.advanced(bySeconds: -60)) }
            guard let leaf = subject.withLock({ $0 }), let answer = try? responder.response(about: leaf) else {
                return [.cut]
            }
            return [
                .text("HTTP/1.1 200 OK\nContent-Type: application/ocsp-response\nContent-Length: \(answer.count)\n\n"),
                .send(answer),
            ]
        }
        var options = CertificateOptions()
        options.extraExtensions.append(.ocspResponders("http://127.0.0.1:\(responder.port)/ocsp"))
        let leaf = try world.factory.leaf([PinnedWorld.host], signedBy: issuer, options)
        subject.withLock { $0 = leaf }
        try await ScriptedServer.with(tls: ServerTLS(leaf)) { _ in
            [.respond("x")]
        } _: { server in
            let evaluator = OCSPRevocationEvaluator(
                requester: HTTPOCSPRequester(allowsPlainHTTP: true, allowsLocalResponders: true),
                clock: .fixed(now))
            let sink = RecordedVerdicts()
            let trust = world.trust.reporting(to: sink).checkingRevocation(with: evaluator)
            let client = HTTPClient(configuration: world.configuration(trust: trust))
            let error = try await transportErrorOrNil {
                _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
            }
            #expect(error?.verdict?.finding.code == (isRevoked ? .revoked : nil))
            // A connection has one verdict, the final one.
            #expect(sink.all.map(\.permitsConnection) == [!isRevoked])
            let asked = try #require(responder.requests.first)
            #expect(asked.method == "POST" && asked.target == "/ocsp")
            #expect(asked.field("content-type") == "application/ocsp-request")
        }
        try await responder.stop()
    }
}
