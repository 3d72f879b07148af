/// The limits of one evaluation. Each has its own reason, and reaching one ends the search with
/// ``TrustFinding/Code-swift.struct/budgetExceeded`` (or the `tooMany…` finding of the first two).
public struct VerificationBudget: Hashable, Sendable {
    /// Presented certificates. Real servers send at most five; OpenSSL stops at 100 levels, and so does this.
    public var presentedCertificates = 100
    /// Presented bytes. BoringSSL lets at most 100 KiB through in a handshake; chains from files may have more.
    public var presentedBytes = 512 * 1_024
    /// Signature checks. The number is rustls-webpki's, which took it from Go's CVE-2018-16875. A check with a P-384 key
    /// counts as two, one with a P-521 key as four, by the time that they take.
    public var signatureChecks = 100
    /// Candidate issuers looked at. webpki allows 200,000 calls; a search that needs more than this is an attack.
    public var candidates = 10_000
    /// Name-constraint comparisons. The number is mozilla::pkix's and webpki's.
    public var nameConstraintComparisons = 250_000
    /// Certificates on a path, anchor included. Apple's and Mozilla's limits are 8 intermediates and more.
    public var pathLength = 12

    /// The limits that every evaluation has unless told otherwise.
    public static let standard = VerificationBudget()

    /// The standard limits.
    public init() {}

    /// Certificates of a presented chain that are parsed at all.
    static let parsedCertificates = 100
}

/// What a verification has spent of its budget.
struct VerificationCost: Hashable, Sendable {
    var signatureChecks = 0
    var candidates = 0
    var nameConstraintComparisons = 0
}

extension TrustFinding {
    /// A limit of the budget was reached.
    static func overBudget(_ what: String, _ limit: Int) -> TrustFinding {
        var facts = TrustFacts()
        facts.limit = limit
        return TrustFinding(
            .budgetExceeded, "The chain needs more than \(limit) \(what); the search was given up.", facts: facts)
    }
}
