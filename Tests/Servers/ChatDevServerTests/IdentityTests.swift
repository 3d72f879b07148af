import ChatDevServer
import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTrust
import Testing

/// Tests every chain that the server can present with each kind of trust.
@Suite("Identities", .timeLimit(.minutes(1)))
struct IdentityTests {
    private enum Outcome: Equatable {
        case accepted
        case refused(TrustFinding.Code)
    }

    private static func connect(_ port: Int, _ trust: TrustContext) async throws -> Outcome {
        let client = HTTPClient(configuration: ServerUnderTest.transport(trust))
        let request = HTTPRequest(method: .get, scheme: "https", authority: "localhost:\(port)", path: "/")
        do {
            let response = try await client.collect(request, upTo: 1_024)
            #expect(response.response.status == .ok)
            return .accepted
        } catch let error as TransportError where error.code == .trustRefused {
            return .refused(try #require(error.verdict).finding.code)
        }
    }

    private static func outcome(_ scenario: CertificateScenario, _ trust: TrustContext) async throws -> Outcome {
        let identity = try ServerUnderTest.authority.get().identity(for: scenario)
        return try await CertificateScenarioServer.with(presenting: identity) { try await connect($0.port, trust) }
    }

    @Test(
        "System verification",
        arguments: [
            (.genuine, nil), (.rotatedToBackupKey, nil), (.newKeySameAuthority, nil),
            (.otherAuthority, .unknownIssuer), (.smuggledLeaf, .unknownIssuer), (.smuggledIntermediate, .unknownIssuer),
            (.expired, .expired), (.wrongHost, .hostMismatch), (.otherCustomer, .hostMismatch),
            (.selfSigned, .unknownIssuer), (.selfSignedExpired, .unknownIssuer),
        ] as [(CertificateScenario, TrustFinding.Code?)])
    func system(scenario: CertificateScenario, refusal: TrustFinding.Code?) async throws {
        let root = try ServerUnderTest.authority.get().root.view
        let outcome = try await Self.outcome(scenario, .system(anchors: .only([root])))
        #expect(outcome == refusal.map { .refused($0) } ?? .accepted)
    }

    @Test(
        "Pinned keys only, with the leaf pinned",
        arguments: [
            (.genuine, true), (.selfSigned, true), (.selfSignedExpired, true), (.expired, true), (.wrongHost, true),
            (.rotatedToBackupKey, false), (.newKeySameAuthority, false), (.otherAuthority, false),
            (.smuggledLeaf, false), (.smuggledIntermediate, false), (.otherCustomer, false),
        ] as [(CertificateScenario, Bool)])
    func pinnedLeaf(scenario: CertificateScenario, isAccepted: Bool) async throws {
        let leaf = try ServerUnderTest.authority.get().leaf.view
        let outcome = try await Self.outcome(scenario, .pinnedKeysOnly(PinnedKeysOnly(certificates: [leaf])))
        #expect(outcome == (isAccepted ? .accepted : .refused(.pinMismatch)))
    }

    @Test(
        "Pinned keys only, with the authority pinned",
        arguments: [
            (.genuine, nil), (.rotatedToBackupKey, nil), (.newKeySameAuthority, nil), (.expired, nil),
            (.otherCustomer, .hostMismatch), (.smuggledIntermediate, .pinMismatch), (.otherAuthority, .pinMismatch),
        ] as [(CertificateScenario, TrustFinding.Code?)])
    func pinnedAuthority(scenario: CertificateScenario, refusal: TrustFinding.Code?) async throws {
        let intermediate = try ServerUnderTest.authority.get().intermediate.view
        let outcome = try await Self.outcome(scenario, .pinnedKeysOnly(PinnedKeysOnly(certificates: [intermediate])))
        #expect(outcome == refusal.map { .refused($0) } ?? .accepted)
    }

    @Test("A running server can rotate its key, and keeps the old one if the new one is unusable")
    func rotation() async throws {
        try await ServerUnderTest.with { subject in
            func shownKey() async throws -> SPKIDigest? {
                // Uses a new client, because an open connection keeps its identity.
                let anchors = TrustAnchors.only([subject.authority.root.view])
                let client = HTTPClient(configuration: ServerUnderTest.transport(.system(anchors: anchors)))
                let request = HTTPRequest(
                    method: .get, scheme: "https", authority: "localhost:\(subject.address.port)",
                    path: "/api/chat/config")
                let facts = try await client.collect(request, upTo: 1 << 20).facts
                return facts.verdict?.path?.certificates.first?.spkiDigest
            }
            let genuine = subject.authority.leaf.view.spkiDigest
            let backup = subject.authority.backupLeaf.view.spkiDigest
            let socket = try await subject.join()
            #expect(try await shownKey() == genuine)
            try subject.server.replaceTLSIdentity(try subject.authority.identity(for: .rotatedToBackupKey))
            #expect(try await shownKey() == backup)
            let error = #expect(throws: ChatDevServerError.self) {
                try subject.server.replaceTLSIdentity(TLSIdentity(chain: [], privateKeyPEM: ""))
            }
            #expect(error?.code == .unusableIdentity)
            #expect(try await shownKey() == backup)
            #expect(try await socket.say("Still on the old connection", uuid: "u1") != nil)
        }
    }

    @Test("A server without TLS has no identity to replace")
    func cleartext() async throws {
        let identity = try ServerUnderTest.authority.get().identity(for: .genuine)
        try await ServerUnderTest.with {
            $0.tls = nil
        } _: { subject in
            let error = #expect(throws: ChatDevServerError.self) { try subject.server.replaceTLSIdentity(identity) }
            #expect(error?.code == .noTLS)
        }
    }

    @Test("The pins are the current key and the backup key")
    func pins() throws {
        let authority = try ServerUnderTest.authority.get()
        #expect(
            authority.pins.map(\.spkiDigest) == [authority.leaf.view.spkiDigest, authority.backupLeaf.view.spkiDigest])
        #expect(Set(authority.pins).count == 2)
    }
}
