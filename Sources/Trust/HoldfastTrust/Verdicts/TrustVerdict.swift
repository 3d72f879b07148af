/// The outcome of one trust evaluation: what was seen, what follows, and all that a log or a report needs to say it.
///
/// A verdict is self-contained: a later change of the policy cannot alter what it says.
public struct TrustVerdict: Hashable, Sendable {
    /// What follows.
    public var decision: TrustDecision
    /// What was seen, and decided.
    public var finding: TrustFinding
    /// What the system verification found; `nil` where the mode does not run it (pinned keys only, trust switched off).
    public var systemFinding: TrustFinding?
    /// The host and port that were asked for; `nil` where the host could not be canonicalised.
    public var subject: TrustSubject?
    /// The policy's name, and the rule of it that applied.
    public var policyName: String
    /// The verified path, leaf first, where there is one.
    public var path: VerifiedPath?
    /// What the server presented; `nil` where the evaluation never saw it.
    public var presented: PresentedChain?
    /// What the policy said about the host, where pins applied.
    public var pinning: PinningFacts?
    /// When the evaluation took place.
    public var time: Timestamp
    /// How long it took. Set by whoever drives the evaluation; zero where nobody measured.
    public var duration: Duration
    /// Whether the same chain was judged within the last minute and this is that judgement again.
    public var isFromCache = false
    /// Findings that did not decide: a report-only mismatch, an expired policy.
    public var notices: [TrustFinding]

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
