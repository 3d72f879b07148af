/// The system verification of one presented chain: a pure, synchronous function of chain, anchors, host and time.
struct Verification {
    /// What came out.
    struct Outcome {
        /// What the verification itself found.
        var finding: TrustFinding
        /// The path that was taken: the one that meets the requirement, else the valid one that comes nearest to it.
        var path: VerifiedPath?
        /// Why that path does not meet the requirement; `nil` where it does, or was never asked.
        var refusal: TrustFinding?
        /// What else is wrong.
        var notices: [TrustFinding] = []
    }

    var anchors: TrustAnchors
    var options: VerificationOptions

    /// Verifies, and among several valid paths looks for one that meets the requirement.
    func run(
        _ chain: PresentedChain, at time: Timestamp, requirement: PathRequirement = .none
    ) -> Outcome {
        if let problem = Verification.presentationProblem(of: chain, options.budget) {
            return Outcome(finding: problem)
        }
        guard let leaf = chain.leaf else { return Outcome(finding: Verification.unreadableLeaf(chain)) }
        #if canImport(Security)
        // Only the platform knows its roots: it builds the path, and everything beyond is judged here as elsewhere.
        if let more = anchors.besideSystem {
            return PlatformVerification.run(chain, options, at: time, and: more).judged(by: requirement)
        }
        #endif
        let indexes: [AnchorIndex]
        do throws(TrustFinding) { indexes = try anchors.resolve(at: time) } catch { return Outcome(finding: error) }
        return run(chain, leaf, indexes, at: time, requirement: requirement)
    }

    /// The same with anchors at hand.
    func run(
        _ chain: PresentedChain, _ leaf: CertificateView, _ indexes: [AnchorIndex], at time: Timestamp,
        acceptsAnchoredLeaf: Bool = true, requirement: PathRequirement = .none
    ) -> Outcome {
        let leafProblems = CertificateCheck.leafProblems(of: leaf, at: time, options)
        var search = PathSearch(
            chain: chain, leaf: leaf, anchors: indexes, options: options, time: time,
            acceptsAnchoredLeaf: acceptsAnchoredLeaf)
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

    /// Finds the most telling reason why there is no valid path.
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
            // A path without a problem would have been found by the strict search, had the budget allowed it.
            guard let first = ranked.first else {
                return Outcome(finding: .overBudget("steps", options.budget.candidates))
            }
            return Outcome(finding: first.finding, notices: ranked.dropFirst().map(\.finding))
        }
    }

    // MARK: - What was presented

    /// Whether what was presented is too much to look at.
    static func presentationProblem(of chain: PresentedChain, _ budget: VerificationBudget) -> TrustFinding? {
        var facts = TrustFacts()
        if chain.count == 0 { return TrustFinding(.noCertificates, "The server presented no certificate.") }
        if chain.count > budget.presentedCertificates {
            facts.limit = budget.presentedCertificates
            return TrustFinding(
                .tooManyCertificates,
                "The server presented \(chain.count) certificates; at most \(budget.presentedCertificates) are looked at.",
                facts: facts)
        }
        if chain.byteCount > budget.presentedBytes {
            facts.limit = budget.presentedBytes
            return TrustFinding(
                .tooManyBytes,
                "The server presented \(chain.byteCount) bytes of certificates; at most \(budget.presentedBytes) are looked at.",
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
            ? "\(leaf.subject) is signed by itself, and it is no trust anchor."
            : "No path leads from \(leaf.subject), issued by \(leaf.issuer), to a trust anchor."
        return TrustFinding(.unknownIssuer, reason, about: leaf)
    }
}

/// What a verification checks. The defaults are the system verification; only the modes that document it check less.
struct VerificationOptions: Hashable, Sendable {
    /// The host that the server's certificate must be for; `nil` leaves the name out.
    var host: CanonicalHost?
    /// Whether validity dates count.
    var checksDates = true
    /// The number of intermediates that a path may have, self-issued ones not counted; `nil` for the budget's limit.
    var maximumIntermediates: Int?
    /// Lists in which the certificates of a path are looked up.
    var revocationLists: [RevocationList] = []
    var budget = VerificationBudget.standard
}

/// What a mode asks of a path beyond its validity.
///
/// Judging and explaining are apart: a search may judge thousands of paths, and explains one.
struct PathRequirement {
    /// What comes of a path, the best first.
    enum Answer: Int, Comparable {
        /// All that is asked for.
        case met
        /// Something is missing. Where nothing is enforced such a path will do.
        case unmet
        /// Never to be used.
        case forbidden

        static func < (lhs: Answer, rhs: Answer) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    /// Judges a valid path. Has to be cheap.
    var judge: (VerifiedPath) -> Answer
    /// Says why a path does not meet the requirement; `nil` if it does.
    var explain: (VerifiedPath) -> TrustFinding?

    /// Nothing.
    static var none: PathRequirement { PathRequirement(judge: { _ in .met }, explain: { _ in nil }) }
}
