/// The outcome of one trust evaluation, with all facts that a log or a report needs.
///
/// A verdict is self-contained: a later change of the policy does not change it. Code outside of this module cannot
/// modify a verdict, and so cannot turn a refusal into an acceptance. The only exception is ``duration``, which has no
/// effect on the decision.
public struct TrustVerdict: Hashable, Sendable, CustomStringConvertible {
    /// The decision.
    public internal(set) var decision: TrustDecision
    /// The finding that determined the decision.
    public internal(set) var finding: TrustFinding
    /// The finding of the system verification, or `nil` in a mode that skips it (pinned keys only, trust evaluation
    /// disabled).
    public internal(set) var systemFinding: TrustFinding?
    /// The requested host and port, or `nil` if the host is not valid.
    public internal(set) var subject: TrustSubject?
    /// The name of the policy and of the rule that applied.
    public internal(set) var policyName: String
    /// The verified path, leaf first, if one was found.
    public internal(set) var path: VerifiedPath?
    /// The chain that the server presented, or `nil` if the evaluation never received it.
    public internal(set) var presented: PresentedChain?
    /// The policy's pins and settings for the host, if pins applied.
    public internal(set) var pinning: PinningFacts?
    /// The time for which the evaluation was made.
    public internal(set) var time: Timestamp
    /// The duration of the evaluation, or zero if it was not measured. The transport that runs the evaluation sets it.
    public var duration: Duration
    /// Whether the verdict comes from the cache, because the same chain was evaluated within the last minute.
    public internal(set) var isFromCache = false
    /// Findings that did not determine the decision, such as a mismatch in report-only mode or an expired policy.
    public internal(set) var notices: [TrustFinding]
    /// The first time for which a cached copy of the verdict is no longer valid, if a check limits it.
    var validUntil: Timestamp?

    package init(
        decision: TrustDecision, finding: TrustFinding, systemFinding: TrustFinding? = nil, subject: TrustSubject?,
        policyName: String, path: VerifiedPath? = nil, presented: PresentedChain? = nil,
        pinning: PinningFacts? = nil, time: Timestamp, duration: Duration = .zero,
        notices: [TrustFinding] = []
    ) {
        self.decision = decision
        self.finding = finding
        self.systemFinding = systemFinding
        self.subject = subject
        self.policyName = policyName
        self.path = path
        self.presented = presented
        self.pinning = pinning
        self.time = time
        self.duration = duration
        self.notices = notices
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
