/// The limits of one evaluation.
///
/// Each limit has its own justification. If one is reached, the search ends with
/// ``TrustFinding/Code-swift.struct/budgetExceeded``, or with the `tooMany…` finding for the first two limits.
public struct VerificationBudget: Hashable, Sendable {
    /// The number of presented certificates. Real servers send at most five. The limit is the same as OpenSSL's 100
    /// levels.
    ///
    /// - Error: `TrustFinding.Code.tooManyCertificates`
    public var presentedCertificates = 100
    /// The number of presented bytes. BoringSSL accepts at most 100 KiB in a handshake; chains from files may be
    /// longer.
    ///
    /// - Error: `TrustFinding.Code.tooManyBytes`
    public var presentedBytes = 512 * 1_024
    /// The number of signature checks, as in rustls-webpki, which adopted it from Go after CVE-2018-16875.
    ///
    /// A check with a P-384 key counts as two and one with a P-521 key as four, in proportion to the time that they
    /// take.
    ///
    /// - Error: `TrustFinding.Code.budgetExceeded`
    public var signatureChecks = 100
    /// The number of candidate issuers. webpki allows 200,000 calls; a search that exceeds this smaller limit is an
    /// attack.
    ///
    /// - Error: `TrustFinding.Code.budgetExceeded`
    public var candidates = 10_000
    /// The number of name-constraint comparisons, as in mozilla::pkix and webpki.
    ///
    /// - Error: `TrustFinding.Code.budgetExceeded`
    public var nameConstraintComparisons = 250_000
    /// The number of nodes, edges and mappings of policy graphs (RFC 9618). A real path needs fewer than 500.
    ///
    /// - Error: `TrustFinding.Code.budgetExceeded`
    public var policySteps = 10_000
    /// The number of certificates on a path, including the anchor. Apple's and Mozilla's limits are 8 intermediates and
    /// more.
    ///
    /// - Error: `TrustFinding.Code.budgetExceeded`
    public var pathLength = 12

    /// The default limits of every evaluation.
    public static let standard = VerificationBudget()

    /// Creates the default limits.
    public init() {}

    /// The number of certificates of a presented chain that are parsed. Further ones are not parsed. By default,
    /// `presentedCertificates` refuses a chain with more.
    static let parsedCertificates = 100
}

/// The part of the budget that a verification has used.
struct VerificationCost: Hashable, Sendable {
    var signatureChecks = 0
    var candidates = 0
    var nameConstraintComparisons = 0
    var policySteps = 0
}

extension TrustFinding {
    /// Returns the finding for a reached limit of the budget.
    static func overBudget(_ what: String, _ limit: Int) -> TrustFinding {
        var facts = TrustFacts()
        facts.limit = limit
        return TrustFinding(
            .budgetExceeded, "The chain needs more than \(limit) \(what), so the search was stopped.", facts: facts)
    }
}
