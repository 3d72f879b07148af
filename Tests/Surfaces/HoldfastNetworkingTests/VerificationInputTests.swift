import Foundation
import HoldfastNetworking
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The list of certificate transparency logs and the certificate policies reach the verification of each surface, with
/// real connections.
@Suite struct VerificationInputTests {
    private static let host = "api.example.com"
    private static let gold = "1.2.3.4"

    /// The surfaces that take the inputs by a parameter of their own.
    enum Surface: String, CaseIterable, Sendable {
        case pinningTransport
        #if canImport(FoundationNetworking)
        case session, sessionWithDelegate, delegateContext
        #endif
    }

    private let factory = CertificateFactory()
    private let root: Identity
    private let logs: [TestLog]
    /// Servers with timestamps, without them, and with a certificate policy.
    private let logged: Identity
    private let plain: Identity
    private let golden: Identity

    init() throws {
        root = try factory.authority("Root")
        logs = [try TestLog("oak", operator: "Alpha"), try TestLog("elm", operator: "Beta")]
        logged = try factory.loggedLeaf([Self.host], signedBy: root, logs: logs)
        plain = try factory.leaf([Self.host], signedBy: root)
        golden = try factory.leaf(
            [Self.host], signedBy: root, .with { $0.extraExtensions = [.certificatePolicies([Self.gold])] })
    }

    private func policy(requiresTimestamps: Bool) throws -> PinningPolicy {
        let pattern = HostPattern(try CanonicalHost(Self.host), depth: .exact)
        return try PinningPolicy(
            name: "test",
            rules: [requiresTimestamps ? .requiringTransparency(pattern, .chrome) : .excluding(pattern)])
    }

    /// Connects to a server through a surface. Returns the refusal, or `nil` if the server was accepted.
    private func refusal(
        of identity: Identity, by surface: Surface, logs: TransparencyLogHolder? = nil,
        requiresTimestamps: Bool = true, certificatePolicies: CertificatePolicyInputs = .anyPolicy
    ) async throws -> TrustFinding.Code? {
        let configuration = TransportConfiguration(
            clock: .fixed(factory.now), hostOverrides: [Self.host: "127.0.0.1"])
        let anchors = TrustAnchors.only([root.view])
        let policy = try policy(requiresTimestamps: requiresTimestamps)
        return try await ScriptedServer.with(tls: ServerTLS(identity)) { _ in
            [.respond("ok")]
        } _: { server -> TrustFinding.Code? in
            let request = URLRequest(url: try #require(URL(string: "https://\(Self.host):\(server.port)/")))
            do {
                switch surface {
                case .pinningTransport:
                    let evaluator: any ServerTrustEvaluator =
                        requiresTimestamps ? CertificateTransparencyEvaluator(.chrome) : SystemTrustEvaluator()
                    let transport = PinningTransport(
                        pinnedDomains: [Self.host: evaluator], anchors: anchors, logs: logs,
                        certificatePolicies: certificatePolicies, configuration: configuration)
                    _ = try await transport.data(for: request)
                #if canImport(FoundationNetworking)
                case .session, .sessionWithDelegate:
                    let leaving = ScriptedDelegate(session: { $1(.performDefaultHandling, nil) })
                    let session = URLSession(
                        pinnedBy: policy, configuration: .ephemeral,
                        delegate: surface == .session ? nil : leaving, anchors: anchors, logs: logs,
                        certificatePolicies: certificatePolicies,
                        options: PinnedSessionOptions(transport: configuration))
                    defer { session.invalidateAndCancel() }
                    _ = try await session.data(for: request)
                case .delegateContext:
                    let leaving = ScriptedDelegate(session: { $1(.performDefaultHandling, nil) })
                    let scene = try ChallengeScene()
                    var configuration = configuration
                    configuration.trust = .delegate(
                        leaving, of: scene.session, policy: policy, anchors: anchors, logs: logs,
                        certificatePolicies: certificatePolicies)
                    _ = try await HTTPClientTransport(configuration: configuration).data(for: request)
                #endif
                }
                return nil
            } catch {
                #expect(server.requests.isEmpty)
                let code = try #require(Self.verdict(in: error)).finding.code
                // Without pins, the finding of the policy is that no pin applies.
                return code == .excluded ? Self.verdict(in: error)?.systemFinding?.code : code
            }
        }
    }

    private static func verdict(in error: any Error) -> TrustVerdict? {
        #if canImport(FoundationNetworking)
        if let error = error as? URLError { return error.trustVerdict }
        #endif
        return (error as? TransportError)?.verdict
    }

    private func holder(_ logs: [TestLog], age: Int64 = 86_400) throws -> TransparencyLogHolder {
        TransparencyLogHolder(try TestLog.logs(logs, issued: factory.now.advanced(bySeconds: -age)))
    }

    @Test(arguments: Surface.allCases)
    func requiredTimestampsNeedAList(surface: Surface) async throws {
        #expect(try await refusal(of: logged, by: surface, logs: try holder(logs)) == nil)
        #expect(try await refusal(of: plain, by: surface, logs: try holder(logs)) == .sctsMissing)
        #expect(try await refusal(of: logged, by: surface) == .logListMissing)
        let outdated = try holder(logs, age: TransparencyLogs.defaultMaximumAge + 1)
        #expect(try await refusal(of: logged, by: surface, logs: outdated) == .logListOutdated)
        // Only the requirement refuses the server.
        #expect(try await refusal(of: plain, by: surface, requiresTimestamps: false) == nil)
    }

    @Test(arguments: Surface.allCases)
    func certificatePoliciesApply(surface: Surface) async throws {
        let required = CertificatePolicyInputs.requiring([try .init(Self.gold)])
        for (server, code) in [(golden, nil), (plain, TrustFinding.Code.certificatePolicy)] {
            #expect(
                try await refusal(of: server, by: surface, requiresTimestamps: false, certificatePolicies: required)
                    == code)
        }
    }

    #if canImport(FoundationNetworking)
    /// The attack: a delegate that accepts every server, in front of a host that requires timestamps.
    @Test func noDelegateReplacesTheTimestamps() async throws {
        let accepting = ScriptedDelegate(session: { challenge, reply in
            reply(.useCredential, challenge.protectionSpace.serverTrust.map { URLCredential(trust: $0) })
        })
        let scene = try ChallengeScene()
        for (isRequired, isAccepted) in [(true, false), (false, true)] {
            let context = TrustContext.delegate(
                accepting, of: scene.session, policy: try policy(requiresTimestamps: isRequired),
                anchors: .only([root.view]), logs: try holder(logs))
            let verdict = await context.judge(
                PresentedChain(der: plain.chain), for: try scene.subject(), at: factory.now
            ).verdict()
            #expect(verdict.permitsConnection == isAccepted, "\(verdict)")
            #expect(accepting.methods.isEmpty == !isAccepted)
        }
    }
    #endif
}
