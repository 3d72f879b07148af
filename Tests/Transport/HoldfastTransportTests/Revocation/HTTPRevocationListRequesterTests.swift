import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Synchronization
import Testing

/// Requests for revocation lists on the wire. `RevocationRequesterTests` has the rules that are common to both
/// requesters.
@Suite(.timeLimit(.minutes(1))) struct HTTPRevocationListRequesterTests {
    private let world: PinnedWorld

    init() throws {
        world = try PinnedWorld()
    }

    /// End to end: a client with hard fail fetches the list that the certificate names, and applies it. The certificate
    /// names no OCSP responder, like those of Let's Encrypt.
    @Test(arguments: [true, false])
    func theListIsFetched(isRevoked: Bool) async throws {
        let issuer = world.root
        let now = world.factory.now
        let subject = Mutex<Identity?>(nil)
        let authority = try await ScriptedServer.start { _ in
            var draft = RevocationListDraft(issuer: issuer, now: now)
            if isRevoked, let leaf = subject.withLock({ $0 }) { draft.entries = [.init(leaf, reason: 1)] }
            guard let list = try? draft.der() else { return [.cut] }
            return [
                .text("HTTP/1.1 200 OK\nContent-Type: application/pkix-crl\nContent-Length: \(list.count)\n\n"),
                .send(list),
            ]
        }
        var options = CertificateOptions()
        options.extraExtensions.append(.distributionPoints("http://127.0.0.1:\(authority.port)/root.crl"))
        let leaf = try world.factory.leaf([PinnedWorld.host], signedBy: issuer, options)
        subject.withLock { $0 = leaf }
        try await ScriptedServer.with(tls: ServerTLS(leaf)) { _ in
            [.respond("x")]
        } _: { server in
            let evaluator = RevocationEvaluator(
                lists: HTTPRevocationListRequester(allowsPlainHTTP: true, allowsLocalServers: true),
                ocsp: HTTPOCSPRequester(allowsPlainHTTP: true, allowsLocalResponders: true), clock: .fixed(now))
            let client = HTTPClient(
                configuration: world.configuration(trust: world.trust.checkingRevocation(with: evaluator)))
            for _ in 0..<2 {
                let error = try await transportErrorOrNil {
                    _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
                }
                #expect(error?.verdict?.finding.code == (isRevoked ? .revoked : nil))
                #expect(error?.verdict?.finding.facts.revocationReason == (isRevoked ? .keyCompromise : nil))
            }
            let asked = try #require(authority.requests.first)
            #expect(asked.method == "GET" && asked.target == "/root.crl")
            #expect(asked.field("accept") == "application/pkix-crl" && asked.field("accept-encoding") == nil)
            #expect(authority.requests.count == 1, "the list is cached")
        }
        try await authority.stop()
    }
}
