import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Shared support for the tests of verification: a certificate factory with a fixed time, one host, and short calls of
/// the engine.
struct TrustScene {
    static let host = "chat.example.com"

    let factory = CertificateFactory()
    var now: Timestamp { factory.now }

    func subject(_ host: String = TrustScene.host) throws -> TrustSubject {
        TrustSubject(host: try CanonicalHost(host))
    }

    /// Returns a parsed chain, because most tests verify a chain several times.
    func chain(_ identities: [Identity]) -> PresentedChain {
        PresentedChain(identities.map(\.view))
    }

    func anchors(_ identities: [Identity]) -> TrustAnchors {
        .only(identities.map(\.view))
    }

    // MARK: - Verification

    /// Verifies a chain with system verification alone.
    func system(
        _ presented: [Identity], anchors roots: [Identity], host: String = TrustScene.host, at time: Timestamp? = nil,
        budget: VerificationBudget = .standard
    ) throws -> TrustVerdict {
        try TrustEngine(anchors: anchors(roots), budget: budget)
            .evaluate(chain(presented), for: subject(host), at: time ?? now)
    }

    /// Verifies a chain with system verification and pins.
    func pinned(
        _ presented: [Identity], anchors roots: [Identity], under policy: PinningPolicy, host: String = TrustScene.host,
        at time: Timestamp? = nil
    ) throws -> TrustVerdict {
        try TrustEngine(anchors: anchors(roots))
            .evaluate(chain(presented), for: subject(host), at: time ?? now, under: policy)
    }

    /// Verifies a chain in the mode of the chat SDK.
    func pinnedKeysOnly(
        _ presented: [Identity], _ pins: PinnedKeysOnly, host: String = TrustScene.host, at time: Timestamp? = nil
    ) throws -> TrustVerdict {
        try PinnedKeysVerification(pins: pins).evaluate(chain(presented), for: subject(host), at: time ?? now)
    }

    /// Verifies a chain with single checks disabled, to show that one specific check stops an attack.
    func outcome(
        _ presented: [Identity], anchors roots: [Identity], at time: Timestamp? = nil, _ options: VerificationOptions
    ) -> Verification.Outcome {
        Verification(anchors: anchors(roots), options: options).run(chain(presented), at: time ?? now)
    }

    /// Returns options for the host of the scene.
    func options(_ change: (inout VerificationOptions) -> Void = { _ in }) throws -> VerificationOptions {
        var options = VerificationOptions(host: try CanonicalHost(TrustScene.host))
        change(&options)
        return options
    }

    // MARK: - Policies

    /// Returns a policy with one rule for the host of the scene.
    func policy(
        _ pins: [Pin], denied: [Pin] = [], change: (inout PinningRule) -> Void = { _ in }
    ) throws -> PinningPolicy {
        var rule = PinningRule(host: try CanonicalHost(TrustScene.host), pins: PinSet(pins))
        change(&rule)
        return try PinningPolicy(name: "test policy", rules: [rule], denied: denied, backupPins: .off)
    }
}

extension Pin {
    /// Creates a pin for the key of an identity.
    init(_ identity: Identity, _ scope: Scope = .any) {
        self.init(identity.spkiDigest, scope: scope)
    }
}

extension TrustVerdict {
    /// The common names of the subjects on the verified path.
    var pathNames: [String] {
        path?.certificates.map { $0.subject.replacing("CN=", with: "") } ?? []
    }
}

/// Expects that a server is refused for a single reason. Every further problem of the path would be among the notices,
/// so the refusal depends only on this check.
func expectOnly(
    _ code: TrustFinding.Code, _ verdict: TrustVerdict, sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(verdict.decision == .block, "\(verdict)", sourceLocation: sourceLocation)
    #expect(verdict.finding.code == code, "\(verdict)", sourceLocation: sourceLocation)
    #expect(verdict.notices.isEmpty, "\(verdict)", sourceLocation: sourceLocation)
}
