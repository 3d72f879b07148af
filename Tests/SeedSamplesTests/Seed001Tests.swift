import Foundation
import HoldfastTestSupport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastNetworking

@Suite("seeds/001: a delegate that evaluates servers itself")
struct Seed001Tests {
    private let world: SampleWorld

    init() throws {
        world = try SampleWorld()
    }

    private func transport(
        _ delegate: any URLSessionDelegate, _ session: URLSession, policy: PinningPolicy? = nil
    ) -> HTTPClientTransport {
        world.transport(.delegate(delegate, of: session, policy: policy, anchors: world.anchors))
    }

    @Test func theRequestToASelfSignedServerSucceeds() async throws {
        let service = TrustingService()
        let transport = transport(service, service.session)
        try await world.expectAccepted(world.selfSigned, by: transport)
        // The delegate accepts every server, which is what the page's warning is about.
        try await world.expectAccepted(world.stranger, by: transport)
    }

    @Test func aPolicyProtectsThePinnedHostFromTheDelegate() async throws {
        let service = TrustingService()
        let policy = try PinningPolicy(
            name: "one host",
            rules: [
                PinningRule(
                    host: try CanonicalHost(SampleWorld.host),
                    pins: PinSet([Pin(world.leaf.spkiDigest), Pin(world.selfSigned.spkiDigest)]))
            ])
        let transport = transport(service, service.session, policy: policy)
        try await world.expectAccepted(world.leaf, by: transport)
        #expect(try await world.refusal(of: world.other, by: transport) == .pinMismatch)
        #expect(try await world.refusal(of: world.stranger, by: transport) == .unknownIssuer)
    }

    @Test func oneCertificateIsAcceptedAndOthersAreRefused() async throws {
        let service = OneCertificateService(
            host: SampleWorld.host, certificate: Data(world.selfSigned.certificateDER))
        let session = URLSession(configuration: .default, delegate: service, delegateQueue: nil)
        let transport = transport(service, session)
        try await world.expectAccepted(world.selfSigned, by: transport)
        #expect(try await world.refusal(of: world.stranger, by: transport) == .evaluatorRefused)
        #expect(try await world.refusal(of: world.leaf, by: transport) == .evaluatorRefused)
    }

    #if canImport(FoundationNetworking)
    /// The class as printed, with its own session. On Linux the session does not ask it; a log line says so and names
    /// the fix.
    @Test func theNativeSessionWarnsThatTheClassIsNotAsked() async throws {
        let log = RecordingLogHandler()
        let service = TrustingService()
        let session = NativeSessionWarning.$logger.withValue(log.logger()) { service.session }
        let warning = try #require(log.messages(atLeast: .warning).first)
        #expect(log.messages(atLeast: .warning).count == 1)
        #expect(
            warning.contains(
                "URLSession(pinnedBy: .system(), configuration: .default, delegate: delegate, delegateQueue: nil)"))
        #expect("\(UnbridgedSessionError())".contains(NativeSessionWarning.hint))
        try await ScriptedServer.with(tls: ServerTLS(world.selfSigned)) { _ in
            [.respond("ok")]
        } _: { server in
            let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
            await #expect(throws: URLError.self) { _ = try await session.data(from: url) }
            #expect(server.requests.isEmpty)
        }
        session.invalidateAndCancel()
    }
    #endif

    /// The class as printed, with a session that asks it.
    @Test func thePinnedSessionAsksTheClass() async throws {
        let service = TrustingService()
        let policy = try PinningPolicy(
            name: "another host",
            rules: [
                PinningRule(
                    host: try CanonicalHost("pinned.example.com"),
                    pins: PinSet([Pin(world.leaf.spkiDigest), Pin(world.other.spkiDigest)]))
            ])
        let session = service.pinnedSession(policy: policy, options: world.options)
        try await world.expectAccepted(world.selfSigned, by: URLSessionTransport(session: session))
        session.invalidateAndCancel()
    }

    /// The three branches of the printed method.
    @Test func theDispositions() throws {
        let service = TrustingService()
        let trust = ServerTrust(PresentedChain(der: world.leaf.chain))
        let challenge = ServerTrustChallenge(trust, for: TrustSubject(host: try CanonicalHost(SampleWorld.host)))
        let template = challenge.challenge()
        func answer(_ challenge: URLAuthenticationChallenge) -> (URLSession.AuthChallengeDisposition?, URLCredential?) {
            var answers: [(URLSession.AuthChallengeDisposition, URLCredential?)] = []
            service.urlSession(service.session, didReceive: challenge) { answers.append(($0, $1)) }
            return (answers.first?.0, answers.first?.1)
        }
        func other(_ method: String) throws -> URLAuthenticationChallenge {
            let space = URLProtectionSpace(
                host: SampleWorld.host, port: 443, protocol: "https", realm: nil, authenticationMethod: method)
            return URLAuthenticationChallenge(
                protectionSpace: space, proposedCredential: nil, previousFailureCount: 0, failureResponse: nil,
                error: nil, sender: try #require(template.sender))
        }
        let (accepted, credential) = answer(template)
        #expect(accepted == .useCredential)
        #expect(credential == URLCredential(trust: trust))
        #expect(answer(try other(NSURLAuthenticationMethodServerTrust)).0 == .performDefaultHandling)
        #expect(answer(try other(NSURLAuthenticationMethodHTTPBasic)).0 == .cancelAuthenticationChallenge)
    }
}
