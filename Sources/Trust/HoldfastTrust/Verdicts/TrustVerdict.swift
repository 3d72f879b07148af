/// The outcome of one trust evaluation, with all facts that a log or a report needs.
///
/// A verdict is self-contained: a later change of the policy does not change it. Code outside of this module cannot
/// modify a verdict, and so cannot turn a refusal into an acceptance. The only exception is ``duration``, which has no
/// effect on the decision.
public struct TrustVerdict: Hashable, Sendable, CustomStringConvertible {
    /// The facts that do not change when a verdict is used again.
    private struct Facts: Hashable, Sendable {
        var finding: TrustFinding
        var systemFinding: TrustFinding?
        var policyName: String
        var path: VerifiedPath?
        var presented: PresentedChain?
        var pinning: PinningFacts?
        var notices: [TrustFinding]
        var validUntil: Timestamp?
    }

    /// Holds the facts outside of the verdict. Every connection, its errors and the cache keep verdicts, so that a
    /// verdict must be small and cheap to copy.
    private final class Box: Hashable, Sendable {
        let facts: Facts

        init(_ facts: Facts) { self.facts = facts }

        static func == (left: Box, right: Box) -> Bool { left === right || left.facts == right.facts }

        func hash(into hasher: inout Hasher) { hasher.combine(facts) }
    }

    private var box: Box

    /// The decision.
    public internal(set) var decision: TrustDecision
    /// The requested host and port, or `nil` if the host is not valid.
    public internal(set) var subject: TrustSubject?
    /// The time for which the evaluation was made.
    public internal(set) var time: Timestamp
    /// The duration of the evaluation, or zero if it was not measured. The transport that runs the evaluation sets it.
    public var duration: Duration
    /// Whether the verdict comes from the cache, because the same chain was evaluated within the last minute.
    public internal(set) var isFromCache = false

    /// The finding that determined the decision.
    public internal(set) var finding: TrustFinding {
        get { box.facts.finding }
        set { change(\.finding, to: newValue) }
    }

    /// The finding of the system verification, or `nil` in a mode that skips it (pinned keys only, trust evaluation
    /// disabled).
    public internal(set) var systemFinding: TrustFinding? {
        get { box.facts.systemFinding }
        set { change(\.systemFinding, to: newValue) }
    }

    /// The name of the policy and of the rule that applied.
    public internal(set) var policyName: String {
        get { box.facts.policyName }
        set { change(\.policyName, to: newValue) }
    }

    /// The verified path, leaf first, if one was found.
    public internal(set) var path: VerifiedPath? {
        get { box.facts.path }
        set { change(\.path, to: newValue) }
    }

    /// The chain that the server presented, or `nil` if the evaluation never received it.
    public internal(set) var presented: PresentedChain? {
        get { box.facts.presented }
        set { change(\.presented, to: newValue) }
    }

    /// The policy's pins and settings for the host, if pins applied.
    public internal(set) var pinning: PinningFacts? {
        get { box.facts.pinning }
        set { change(\.pinning, to: newValue) }
    }

    /// Findings that did not determine the decision, such as a mismatch in report-only mode or an expired policy.
    public internal(set) var notices: [TrustFinding] {
        get { box.facts.notices }
        set { change(\.notices, to: newValue) }
    }

    /// The first time for which a cached copy of the verdict is no longer valid, if a check limits it.
    var validUntil: Timestamp? {
        get { box.facts.validUntil }
        set { change(\.validUntil, to: newValue) }
    }

    package init(
        decision: TrustDecision, finding: TrustFinding, systemFinding: TrustFinding? = nil, subject: TrustSubject?,
        policyName: String, path: VerifiedPath? = nil, presented: PresentedChain? = nil,
        pinning: PinningFacts? = nil, time: Timestamp, duration: Duration = .zero,
        notices: [TrustFinding] = []
    ) {
        self.decision = decision
        self.subject = subject
        self.time = time
        self.duration = duration
        box = Box(
            Facts(
                finding: finding, systemFinding: systemFinding, policyName: policyName, path: path,
                presented: presented, pinning: pinning, notices: notices))
    }

    private mutating func change<Value>(_ fact: WritableKeyPath<Facts, Value>, to value: Value) {
        var facts = box.facts
        facts[keyPath: fact] = value
        box = Box(facts)
    }

    /// The SPKI hashes of the presented certificates, the server's first. Leaves out unreadable certificates.
    public var presentedHashes: [SPKIDigest] { presented?.certificates.map(\.spkiDigest) ?? [] }

    /// The presented certificates that could not be parsed and were skipped, each with the reason.
    public var unreadable: [UnreadableCertificate] { presented?.unreadable ?? [] }

    /// Whether a transport may use the connection. True if the decision is `allow`, or if no pin applies and system
    /// trust found a valid path.
    public var permitsConnection: Bool {
        switch decision {
        case .allow: true
        case .block: false
        case .notPinned: systemFinding?.isFavourable == true
        }
    }

    /// Returns the verdict changed to a refusal with another finding.
    package func refused(_ finding: TrustFinding) -> TrustVerdict {
        var verdict = self
        verdict.decision = .block
        verdict.finding = finding
        return verdict
    }

    /// Returns the verdict of a host without pins after a delegate accepted the server in place of the system
    /// verification.
    ///
    /// If the system verification refused the server, `finding` becomes the verdict's finding and the old finding a
    /// notice. A verdict with another decision than ``TrustDecision/notPinned`` is returned unchanged, because a
    /// delegate cannot override pins.
    package func accepted(inPlaceOfSystemTrust finding: TrustFinding) -> TrustVerdict {
        guard decision == .notPinned else { return self }
        var verdict = self
        if systemFinding?.isFavourable != true {
            verdict.notices.append(verdict.finding)
            verdict.finding = finding
        }
        verdict.decision = .allow
        return verdict
    }

    /// Returns a refusal without an evaluation.
    package static func blocked(
        _ finding: TrustFinding, _ chain: PresentedChain, _ subject: TrustSubject?, _ time: Timestamp, name: String
    ) -> TrustVerdict {
        TrustVerdict(
            decision: .block, finding: finding, subject: subject, policyName: name,
            presented: chain, time: time)
    }

    /// Returns a refusal because the configured pins cannot be used.
    static func unusable(
        _ reason: String, _ chain: PresentedChain, _ subject: TrustSubject, _ time: Timestamp, name: String
    ) -> TrustVerdict {
        blocked(TrustFinding(.noUsablePins, reason), chain, subject, time, name: name)
    }

    /// A description for logs: the decision and its reason, the verified or presented certificates, and the expected
    /// pins.
    public var description: String {
        let host = subject.map { subject in
            subject.host.text + (subject.port.map { ":\($0)" } ?? "")
        }
        var lines = [
            "\(decision.rawValue) \(host ?? "(no host)") [\(policyName)] \(finding.code): \(finding.reason)"
        ]
        if let systemFinding, systemFinding != finding {
            lines.append("  system verification: \(systemFinding)")
        }
        if let path {
            lines.append("  verified path:")
            lines += path.certificates.map { "    \($0.spkiDigest) \($0.subject)" }
        } else if !presentedHashes.isEmpty {
            lines.append("  presented, not verified:")
            lines += presentedHashes.map { "    \($0)" }
        }
        if !finding.facts.expectedPins.isEmpty {
            lines.append("  expected one of:")
            lines += finding.facts.expectedPins.map {
                "    \($0)\($0.scope == .any ? "" : " (\($0.scope.rawValue) only)")"
            }
        }
        lines += unreadable.map { "  certificate \($0.index) was skipped: \($0.error.reason)" }
        lines += notices.map { "  also: \($0)" }
        lines.append("  at \(time)" + (duration == .zero ? "" : ", took \(duration)"))
        return lines.joined(separator: "\n")
    }
}

/// The decision about a connection.
public enum TrustDecision: String, Hashable, Sendable, CaseIterable {
    /// The connection may be used.
    case allow
    /// The connection must be refused.
    case block
    /// No pin applies: there is no policy, it has expired, or it excludes this host.
    ///
    /// This decision alone does *not* accept the server. Check ``TrustVerdict/systemFinding`` or
    /// ``TrustVerdict/permitsConnection``.
    case notPinned
}

/// The server that a client connects to: the name for which the certificate must be valid, and the port for reports.
public struct TrustSubject: Hashable, Sendable {
    /// The host from the URL, not the address that the socket is connected to.
    public var host: CanonicalHost
    /// The TCP port, if known. It has no effect on a decision.
    public var port: UInt16?

    /// Creates a subject from a host and an optional port.
    public init(host: CanonicalHost, port: UInt16? = nil) {
        self.host = host
        self.port = port
    }
}

/// The policy's settings for the host of a verdict, kept for reports.
public struct PinningFacts: Hashable, Sendable {
    /// The host of the rule that applied ("noted host", RFC 7469, 2.6).
    public var notedHost: CanonicalHost
    /// Whether the rule also applies to subdomains.
    public var includesSubdomains: Bool
    /// Whether a pin mismatch refuses the connection.
    public var enforcement: PinningRule.Enforcement
    /// The pins.
    public var pins: PinSet
    /// The time at which the pins expire.
    public var expires: Timestamp?
    /// The URIs that receive failure reports.
    public var reportURIs: [String]
}
