/// Requires that the server's certificate contains signed certificate timestamps of trusted logs (RFC 6962).
///
/// Only embedded timestamps count. NIOSSL exposes neither the TLS extension nor stapled OCSP responses, in which
/// servers can also send timestamps. Holdfast does not ask logs for proofs of inclusion: a timestamp is a signed
/// promise, and monitors of the logs notice a broken one.
///
/// A requirement does not expire with the pins of its rule, because it does not depend on keys that are replaced.
public struct TransparencyRequirement: Hashable, Sendable {
    /// The policies that decide which timestamps are enough.
    public enum Policy: Hashable, Sendable {
        /// Chrome's policy for embedded timestamps, for certificates since 15 April 2022: two timestamps of distinct
        /// logs for a lifetime of at most 180 days, otherwise three; two operators; one log that is trusted now
        /// (https://googlechrome.github.io/CertificateTransparency/ct_policy.html, read on 28 November 2026).
        case chrome
        /// Apple's policy for embedded timestamps: as Chrome's, and one log with the interface of RFC 6962. The final
        /// second of the validity counts (RFC 5280, 4.1.2.5), so that a certificate for exactly 180 days and a second
        /// needs three (https://support.apple.com/en-us/103214, read on 28 November 2026).
        ///
        /// Apple's limit of timestamps for each operator (one of two, two of three) has the same effect as two
        /// operators.
        case apple
        /// The app's own counts.
        case custom(TransparencyCounts)
    }

    /// Whether chains to local anchors need timestamps.
    ///
    /// An anchor is local if the app or its policy listed it and it is not one of the machine's roots. Public logs do
    /// not accept certificates of private authorities.
    public enum LocalAnchors: String, Hashable, Sendable, CaseIterable {
        /// Chains to local anchors need timestamps too.
        case required
        /// Chains to local anchors need no timestamps, as in Chrome. Verdicts have the notice `transparencyExempt`.
        case exempt
    }

    /// The policy.
    public var policy: Policy
    /// Whether missing timestamps refuse the connection, or are only reported as a notice.
    public var enforcement: PinningRule.Enforcement
    /// Whether chains to local anchors need timestamps.
    public var localAnchors: LocalAnchors

    /// Creates a requirement.
    public init(
        _ policy: Policy, enforcement: PinningRule.Enforcement = .enforce, localAnchors: LocalAnchors = .required
    ) {
        self.policy = policy
        self.enforcement = enforcement
        self.localAnchors = localAnchors
    }

    /// Chrome's policy, enforced for all anchors.
    public static let chrome = TransparencyRequirement(.chrome)
    /// Apple's policy, enforced for all anchors.
    public static let apple = TransparencyRequirement(.apple)

    /// The counts of the policy.
    public var counts: TransparencyCounts {
        switch policy {
        case .chrome: TransparencyCounts(timestamps: 2, timestampsOver180Days: 3, operators: 2)
        case .apple:
            TransparencyCounts(
                timestamps: 2, timestampsOver180Days: 3, operators: 2, requiresRFC6962Log: true,
                countsFinalSecond: true)
        case .custom(let counts): counts
        }
    }

    /// The policy as text, for messages.
    var policyText: String {
        switch policy {
        case .chrome: "Chrome's policy"
        case .apple: "Apple's policy"
        case .custom: "the app's policy"
        }
    }

    /// Returns whether every certificate that meets this requirement also meets `other`, with the same effect.
    func isAtLeastAsStrict(as other: TransparencyRequirement) -> Bool {
        (enforcement == .enforce || other.enforcement == .reportOnly)
            && (localAnchors == .required || other.localAnchors == .exempt)
            && counts.isAtLeastAsStrict(as: other.counts)
    }
}

/// How many timestamps a certificate needs.
public struct TransparencyCounts: Hashable, Sendable {
    /// The number of distinct logs for certificates with a lifetime of at most 180 days.
    public let timestamps: Int
    /// The number of distinct logs for certificates with a longer lifetime.
    public let timestampsOver180Days: Int
    /// The number of distinct operators.
    public let operators: Int
    /// Whether one of the logs must have the interface of RFC 6962.
    public let requiresRFC6962Log: Bool
    let countsFinalSecond: Bool

    /// Creates counts. Each count is clamped to the range from 1 to ``EmbeddedTimestamps/maximumCount``. At least one
    /// of the logs must always be trusted at the time of the check.
    public init(
        timestamps: Int, timestampsOver180Days: Int, operators: Int, requiresRFC6962Log: Bool = false
    ) {
        self.init(
            timestamps: timestamps, timestampsOver180Days: timestampsOver180Days, operators: operators,
            requiresRFC6962Log: requiresRFC6962Log, countsFinalSecond: false)
    }

    fileprivate init(
        timestamps: Int, timestampsOver180Days: Int, operators: Int, requiresRFC6962Log: Bool, countsFinalSecond: Bool
    ) {
        func clamped(_ count: Int) -> Int { min(max(count, 1), EmbeddedTimestamps.maximumCount) }
        self.timestamps = clamped(timestamps)
        self.timestampsOver180Days = clamped(timestampsOver180Days)
        self.operators = clamped(operators)
        self.requiresRFC6962Log = requiresRFC6962Log
        self.countsFinalSecond = countsFinalSecond
    }

    /// The validity in seconds up to which a certificate needs fewer timestamps: 180 days.
    private static let limit: Int64 = 180 * 86_400

    /// Returns the number of timestamps that a certificate needs. A certificate without readable dates counts as
    /// long-lived.
    func required(for certificate: CertificateView) -> Int {
        guard let start = certificate.notBefore, let end = certificate.notAfter else { return timestampsOver180Days }
        let limit = start.advanced(bySeconds: TransparencyCounts.limit - (countsFinalSecond ? 1 : 0))
        return end <= limit ? timestamps : timestampsOver180Days
    }

    /// The number of logs for short-lived and other certificates. A log has one operator, so that there are at least as
    /// many logs as operators.
    private var logs: (short: Int, long: Int) {
        (max(timestamps, operators), max(timestampsOver180Days, operators))
    }

    fileprivate func isAtLeastAsStrict(as other: TransparencyCounts) -> Bool {
        logs.short >= other.logs.short && logs.long >= other.logs.long
            && operators >= other.operators && (requiresRFC6962Log || !other.requiresRFC6962Log)
            && (countsFinalSecond || !other.countsFinalSecond || logs.short >= other.logs.long)
            && (!countsFinalSecond || other.countsFinalSecond || logs.long >= other.logs.short)
    }
}
