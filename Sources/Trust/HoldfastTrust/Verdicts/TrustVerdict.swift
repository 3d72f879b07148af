/// The outcome of one trust evaluation: what was seen, what follows, and all that a log or a report needs to say it.
///
/// A verdict is self-contained: a later change of the policy cannot alter what it says. Outside of this module a verdict
/// cannot be changed, so code that receives a refusal cannot turn it into an acceptance. The exception is ``duration``,
/// which decides nothing.
public struct TrustVerdict: Hashable, Sendable {
    /// What follows.
    public internal(set) var decision: TrustDecision
    /// What was seen, and decided.
    public internal(set) var finding: TrustFinding
    /// What the system verification found; `nil` where the mode does not run it (pinned keys only, trust switched off).
    public internal(set) var systemFinding: TrustFinding?
    /// The host and port that were asked for; `nil` where the host could not be canonicalised.
    public internal(set) var subject: TrustSubject?
    /// The policy's name, and the rule of it that applied.
    public internal(set) var policyName: String
    /// The verified path, leaf first, where there is one.
    public internal(set) var path: VerifiedPath?
    /// What the server presented; `nil` where the evaluation never saw it.
    public internal(set) var presented: PresentedChain?
    /// What the policy said about the host, where pins applied.
    public internal(set) var pinning: PinningFacts?
    /// When the evaluation took place.
    public internal(set) var time: Timestamp
    /// How long it took. The transport that drives the evaluation sets it; zero if nothing measured it.
    public var duration: Duration
    /// Whether the same chain was judged within the last minute and this is that judgement again.
    public internal(set) var isFromCache = false
    /// Findings that did not decide: a report-only mismatch, an expired policy.
    public internal(set) var notices: [TrustFinding]

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

    /// The SPKI hashes of what the server presented, its own first; unreadable certificates are left out.
    public var presentedHashes: [SPKIDigest] { presented?.certificates.map(\.spkiDigest) ?? [] }

    /// Presented certificates that could not be parsed, with the reason; they were skipped.
    public var unreadable: [UnreadableCertificate] { presented?.unreadable ?? [] }

    /// Whether a transport may use the connection: an allow, or no pin that applies and a valid path by system trust.
    public var permitsConnection: Bool {
        switch decision {
        case .allow: true
        case .block: false
        case .notPinned: systemFinding?.isFavourable == true
        }
    }
}

extension TrustVerdict {
    /// The verdict as a refusal for another reason, whatever it was before.
    package func refused(_ finding: TrustFinding) -> TrustVerdict {
        var verdict = self
        verdict.decision = .block
        verdict.finding = finding
        return verdict
    }

    /// The verdict of a host without pins after a delegate accepted the server. The delegate takes the place of the system
    /// verification: if that had refused, `finding` becomes the verdict's finding and the old one a notice. A verdict
    /// that is not ``TrustDecision/notPinned`` stays as it is: no delegate overrides pins.
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

    /// A refusal that no evaluation led to.
    package static func blocked(
        _ finding: TrustFinding, _ chain: PresentedChain, _ subject: TrustSubject?, _ time: Timestamp, name: String
    ) -> TrustVerdict {
        TrustVerdict(
            decision: .block, finding: finding, subject: subject, policyName: name,
            presented: chain, time: time)
    }

    /// A refusal because the configured pins cannot be used.
    static func unusable(
        _ reason: String, _ chain: PresentedChain, _ subject: TrustSubject, _ time: Timestamp, name: String
    ) -> TrustVerdict {
        blocked(TrustFinding(.noUsablePins, reason), chain, subject, time, name: name)
    }
}

extension TrustVerdict: CustomStringConvertible {
    /// What a developer wants to read in a log: the decision and its reason, what was seen, what was expected.
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

/// What follows from a finding under a policy.
public enum TrustDecision: String, Hashable, Sendable, CaseIterable {
    /// The connection may be used.
    case allow
    /// The connection must be refused.
    case block
    /// No pin applies: the policy is absent, expired or excludes this host. This is *never* an allow by itself; look at
    /// ``TrustVerdict/systemFinding``, or ask ``TrustVerdict/permitsConnection``.
    case notPinned
}

/// Whom a connection claims to reach: the name that the certificate must be valid for, and the port for reports.
public struct TrustSubject: Hashable, Sendable {
    /// The host from the URL, never the address that the socket was connected to.
    public var host: CanonicalHost
    /// The TCP port, where it is known. It takes no part in a decision.
    public var port: UInt16?

    /// Names a host and, where known, its port.
    public init(host: CanonicalHost, port: UInt16? = nil) {
        self.host = host
        self.port = port
    }
}

/// What the policy had to say about the host of a verdict, kept in it for reports.
public struct PinningFacts: Hashable, Sendable {
    /// The host of the rule that applied ("noted host", RFC 7469, 2.6).
    public var notedHost: CanonicalHost
    /// Whether the rule reaches below its host.
    public var includesSubdomains: Bool
    /// Whether a failed pin blocks.
    public var enforcement: PinningRule.Enforcement
    /// The pins.
    public var pins: PinSet
    /// When they end to apply.
    public var expires: Timestamp?
    /// Where failures are to be reported.
    public var reportURIs: [String]
}
