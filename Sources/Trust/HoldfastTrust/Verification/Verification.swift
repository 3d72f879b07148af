/// The system verification of one presented chain: a synchronous function of chain, anchors, host and time.
struct Verification {
    /// The outcome of a verification.
    struct Outcome {
        /// The finding of the system verification.
        var finding: TrustFinding
        /// The selected path: the one that meets the requirement, or otherwise the valid path that comes closest to it.
        var path: VerifiedPath?
        /// The reason why the path does not meet the requirement. `nil` if it does, or if the requirement was not
        /// checked.
        var refusal: TrustFinding?
        /// Further findings.
        var notices: [TrustFinding] = []
    }

    var anchors: TrustAnchors
    var options: VerificationOptions
    /// The links whose signatures need no further check.
    var links: KnownLinks?

    /// Verifies the chain, and searches among several valid paths for one that meets the requirement.
    func run(
        _ chain: PresentedChain, at time: Timestamp, requirement: PathRequirement = .none
    ) -> Outcome {
        if let problem = Verification.presentationProblem(of: chain, options.budget) {
            return Outcome(finding: problem)
        }
        guard let leaf = chain.leaf else { return Outcome(finding: Verification.unreadableLeaf(chain)) }
        #if canImport(Security)
        // Only the platform knows its roots, so it builds the path. Holdfast applies all further checks as on other
        // platforms.
        if let more = anchors.besideSystem {
            return PlatformVerification.run(chain, options, at: time, and: more).judged(by: requirement)
        }
        #endif
        let indexes: [AnchorIndex]
        do throws(TrustFinding) { indexes = try anchors.resolve(at: time) } catch { return Outcome(finding: error) }
        return run(chain, leaf, indexes, at: time, requirement: requirement)
    }

    /// Verifies the chain with the given anchors.
    func run(
        _ chain: PresentedChain, _ leaf: CertificateView, _ indexes: [AnchorIndex], at time: Timestamp,
        acceptsAnchoredLeaf: Bool = true, requirement: PathRequirement = .none
    ) -> Outcome {
        let leafProblems = CertificateCheck.leafProblems(of: leaf, at: time, options)
        var search = PathSearch(
            chain: chain, leaf: leaf, anchors: indexes, options: options, time: time,
            acceptsAnchoredLeaf: acceptsAnchoredLeaf, links: links)
        if leafProblems.isEmpty {
            var best: (path: VerifiedPath, answer: PathRequirement.Answer)?
            let outcome = search.search(.strict) { path in
                let answer = requirement.judge(path)
                if best.map({ answer < $0.answer }) ?? true { best = (path, answer) }
                return answer == .met
            }
            let valid = TrustFinding(.validPath, "A path to a trust anchor was verified.")
            switch outcome {
            case .found(let path): return Outcome(finding: valid, path: path)
            case .overBudget(let finding):
                guard let path = best?.path else { return Outcome(finding: finding) }
                return Outcome(finding: valid, path: path, refusal: requirement.explain(path), notices: [finding])
            case .exhausted:
                if let path = best?.path {
                    return Outcome(finding: valid, path: path, refusal: requirement.explain(path))
                }
                if let violation = search.firstViolation { return Outcome(finding: violation) }
            }
        }
        return explain(&search, leaf, leafProblems, at: time)
    }

    /// Returns the most useful explanation why there is no valid path.
    private func explain(
        _ search: inout PathSearch, _ leaf: CertificateView, _ leafProblems: [CertificateProblem], at time: Timestamp
    ) -> Outcome {
        switch search.search(.linksOnly, accept: { _ in true }) {
        case .overBudget(let finding):
            return Outcome(finding: finding, notices: leafProblems.map(\.finding))
        case .exhausted:
            let finding = search.brokenLink ?? search.depthLimit ?? Verification.unknownIssuer(of: leaf)
            return Outcome(finding: finding, notices: leafProblems.map(\.finding))
        case .found(let path):
            var problems = leafProblems
            var authoritiesBelow = 0
            for issuer in path.certificates.dropFirst() {
                problems += CertificateCheck.issuerProblems(of: issuer, at: time, options)
                if let problem = CertificateCheck.lengthProblem(
                    of: issuer, intermediatesBelow: authoritiesBelow, options)
                {
                    problems.append(problem)
                }
                if !issuer.isSelfIssued { authoritiesBelow += 1 }
            }
            let ranked = CertificateCheck.ranked(problems)
            // The strict search would have found a path without problems, unless its budget was exhausted.
            guard let first = ranked.first else {
                return Outcome(finding: .overBudget("steps", options.budget.candidates))
            }
            return Outcome(finding: first.finding, notices: ranked.dropFirst().map(\.finding))
        }
    }

    // MARK: - Presented certificates

    /// Returns a finding if the server presented too many certificates or bytes.
    static func presentationProblem(of chain: PresentedChain, _ budget: VerificationBudget) -> TrustFinding? {
        var facts = TrustFacts()
        if chain.count == 0 { return TrustFinding(.noCertificates, "The server presented no certificate.") }
        if chain.count > budget.presentedCertificates {
            facts.limit = budget.presentedCertificates
            return TrustFinding(
                .tooManyCertificates,
                "The server presented \(chain.count) certificates; the limit is \(budget.presentedCertificates).",
                facts: facts)
        }
        if chain.byteCount > budget.presentedBytes {
            facts.limit = budget.presentedBytes
            return TrustFinding(
                .tooManyBytes,
                "The server presented \(chain.byteCount) bytes of certificates; the limit is \(budget.presentedBytes).",
                facts: facts)
        }
        return nil
    }

    static func unreadableLeaf(_ chain: PresentedChain) -> TrustFinding {
        let reason = chain.unreadable.first?.error.reason ?? "It is missing."
        return TrustFinding(.unreadableLeaf, "The server's own certificate cannot be read. \(reason)")
    }

    private static func unknownIssuer(of leaf: CertificateView) -> TrustFinding {
        let reason =
            leaf.isSelfIssued
            ? "\(leaf.subject) is self-signed and is not a trust anchor."
            : "No path leads from \(leaf.subject), issued by \(leaf.issuer), to a trust anchor."
        return TrustFinding(.unknownIssuer, reason, about: leaf)
    }
}

/// The options of a verification. The defaults are the system verification. Only modes that document it check less.
struct VerificationOptions: Hashable, Sendable {
    /// The host for which the server's certificate must be valid, or `nil` to skip the check.
    var host: CanonicalHost?
    /// Whether to check validity dates.
    var checksDates = true
    /// The maximum number of intermediates on a path, without self-issued ones. `nil` applies the limit of the budget.
    var maximumIntermediates: Int?
    /// The inputs for certificate policies.
    var certificatePolicies = CertificatePolicyInputs.anyPolicy
    /// The revocation lists in which the certificates of a path are looked up.
    var revocationLists: [RevocationList] = []
    /// Whether each certificate below the anchor needs a list that covers it.
    var requiresRevocationLists = false
    var budget = VerificationBudget.standard
}

/// The additional requirement of a mode for valid paths.
///
/// Evaluation and explanation are separate functions, because a search may evaluate thousands of paths but explains
/// one.
struct PathRequirement {
    /// The result for a path, best first.
    enum Answer: Comparable {
        /// The path meets the requirement.
        case met
        /// The path does not meet the requirement. It may be used if nothing is enforced.
        case unmet
        /// The path must never be used.
        case forbidden
    }

    /// Evaluates a valid path. Must be inexpensive.
    var judge: (VerifiedPath) -> Answer
    /// Returns the reason why a path does not meet the requirement, or `nil` if it does.
    var explain: (VerifiedPath) -> TrustFinding?

    /// A requirement that every path meets.
    static var none: PathRequirement { PathRequirement(judge: { _ in .met }, explain: { _ in nil }) }
}

/// A path from the server's certificate to a trust anchor whose links were all verified.
///
/// Only the verifier creates paths. Pins are compared only with this type, so a pinned certificate that an attacker
/// adds to the chain has no effect.
public struct VerifiedPath: Hashable, Sendable {
    /// The certificates from the server's certificate to the trust anchor. The array has one element if the server's
    /// own key is trusted.
    public let certificates: [CertificateView]

    init(verified certificates: [CertificateView]) {
        self.certificates = certificates
    }

    /// The SPKI hashes along the path, the server's first.
    public var hashes: [SPKIDigest] { certificates.map(\.spkiDigest) }
}
