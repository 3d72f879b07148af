import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// What the tests of verification share: a factory at its fixed time, one host, and short ways to ask the engine.
struct TrustScene {
    static let host = "chat.example.com"

    let factory = CertificateFactory()
    var now: Timestamp { factory.now }

    func subject(_ host: String = TrustScene.host) throws -> TrustSubject {
        TrustSubject(host: try CanonicalHost(host))
    }

    /// Parsed already, since most tests ask several questions about one chain.
    func chain(_ identities: [Identity]) -> PresentedChain {
        PresentedChain(identities.map(\.view))
    }

    func anchors(_ identities: [Identity]) -> TrustAnchors {
        .only(identities.map(\.view))
    }

    // MARK: - Questions

    /// System verification alone.
    func system(
        _ presented: [Identity], anchors roots: [Identity], host: String = TrustScene.host, at time: Timestamp? = nil,
        budget: VerificationBudget = .standard
    ) throws -> TrustVerdict {
        try TrustEngine(anchors: anchors(roots), budget: budget)
            .evaluate(chain(presented), for: subject(host), at: time ?? now)
    }

    /// System verification with pins.
    func pinned(
        _ presented: [Identity], anchors roots: [Identity], under policy: PinningPolicy, host: String = TrustScene.host,
        at time: Timestamp? = nil
    ) throws -> TrustVerdict {
        try TrustEngine(anchors: anchors(roots))
            .evaluate(chain(presented), for: subject(host), at: time ?? now, under: policy)
    }

    /// The chat SDK's mode.
    func pinnedKeysOnly(
        _ presented: [Identity], _ pins: PinnedKeysOnly, host: String = TrustScene.host, at time: Timestamp? = nil
    ) throws -> TrustVerdict {
        try PinnedKeysVerification(pins: pins).evaluate(chain(presented), for: subject(host), at: time ?? now)
    }

    /// Verification with single checks switched off, to show that an attack is stopped by the check that it attacks.
    func outcome(
        _ presented: [Identity], anchors roots: [Identity], at time: Timestamp? = nil, _ options: VerificationOptions
    ) -> Verification.Outcome {
        Verification(anchors: anchors(roots), options: options).run(chain(presented), at: time ?? now)
    }

    /// Options for this scene's host.
    func options(_ change: (inout VerificationOptions) -> Void = { _ in }) throws -> VerificationOptions {
        var options = VerificationOptions(host: try CanonicalHost(TrustScene.host))
        change(&options)
        return options
    }

    // MARK: - Policies

    /// A policy with one rule for this scene's host.
    func policy(
        _ pins: [Pin], denied: [Pin] = [], change: (inout PinningRule) -> Void = { _ in }
    ) throws -> PinningPolicy {
        var rule = PinningRule(host: try CanonicalHost(TrustScene.host), pins: PinSet(pins))
        change(&rule)
        return try PinningPolicy(name: "test policy", rules: [rule], denied: denied, backupPins: .off)
    }
}

extension Pin {
    /// A pin for the key of an identity.
    init(_ identity: Identity, _ scope: Scope = .any) {
        self.init(identity.spkiDigest, scope: scope)
    }
}

extension TrustVerdict {
    /// The subjects' common names along the verified path, for short comparisons.
    var pathNames: [String] {
        path?.certificates.map { $0.subject.replacing("CN=", with: "") } ?? []
    }
}

/// Asserts that a server is refused for one reason and no other: every further problem of the path that was looked at
/// would be among the notices. So the refusal rests on this check alone.
func expectOnly(
    _ code: TrustFinding.Code, _ verdict: TrustVerdict, sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(verdict.decision == .block, "\(verdict)", sourceLocation: sourceLocation)
    #expect(verdict.finding.code == code, "\(verdict)", sourceLocation: sourceLocation)
    #expect(verdict.notices.isEmpty, "\(verdict)", sourceLocation: sourceLocation)
}
