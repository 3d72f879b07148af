/// Searches for a path from the server's certificate to a trust anchor.
///
/// The search is depth-first with backtracking, as described in RFC 4158:
///
/// - Anchors are tried before presented certificates, and matching key identifiers before others.
/// - No certificate and no pair of name and key occurs twice on a path.
/// - Inexpensive checks come before signature checks, and each signature is checked once.
/// - Every step counts against a budget, so that the work is limited for any input.
///
/// A path may pass through an anchor. If the path that ends there does not meet the requirement, the search continues
/// with the issuers of the anchor, which may include the pinned root.
struct PathSearch {
    /// Returns whether to accept a complete path. Otherwise the search continues.
    typealias Acceptance = (VerifiedPath) -> Bool

    /// The outcome of a search.
    enum Outcome {
        case found(VerifiedPath)
        case exhausted
        case overBudget(TrustFinding)
    }

    /// The checks that a candidate must pass.
    enum Strictness {
        /// All checks.
        case strict
        /// Only names and signatures. This search finds a path whose problems can be reported.
        case linksOnly
    }

    private struct Link: Hashable {
        var child: Int
        var issuer: Int
    }

    /// The possible issuers of a certificate, best first. They do not depend on the path below the certificate.
    private struct Candidates {
        var anchors: [Int]
        var presented: [Int]
    }

    private let anchors: [AnchorIndex]
    private let options: VerificationOptions
    private let time: Timestamp
    private let acceptsAnchoredLeaf: Bool
    private let links: KnownLinks?

    /// The server's certificate, the other presented certificates, and the anchors found so far.
    private var nodes: [CertificateView]
    private var presented = 0..<0
    /// A number for each node that identifies its subject and key. The search compares only these numbers, because the
    /// cost of comparing names would depend on their length, which a peer controls.
    private var identities: [Int] = []
    private var candidates: [Candidates?] = []

    private var signatures: [Link: Bool] = [:]
    /// Whether a signature on an authority was checked, so that an accepted path may have a link to remember.
    private var hasNewLink = false
    private var fitIssuers: [Bool?] = []
    private var nameConstraints = NameConstraintCheck()
    private var anchorConstraints = AnchorCheck()
    private var policies = PolicyCheck()
    private let hasAnchorConstraints: Bool
    private var revocation: RevocationCheck
    /// The cost of all searches so far.
    private(set) var spent = VerificationCost()

    /// A weak or invalid signature on a link whose names match. It is the best explanation if no path is found.
    private(set) var brokenLink: TrustFinding?
    /// Set if a path could not continue because it reached the maximum length.
    private(set) var depthLimit: TrustFinding?
    /// The first reason why a complete path was not valid.
    private(set) var firstViolation: TrustFinding?

    init(
        chain: PresentedChain, leaf: CertificateView, anchors: [AnchorIndex], options: VerificationOptions,
        time: Timestamp, acceptsAnchoredLeaf: Bool = true, links: KnownLinks? = nil
    ) {
        self.anchors = anchors
        self.options = options
        self.time = time
        self.acceptsAnchoredLeaf = acceptsAnchoredLeaf
        self.links = links
        hasAnchorConstraints = anchors.contains { $0.hasConstraints }
        nodes = []
        revocation = RevocationCheck(options, presented: chain.certificates, at: time)
        add(leaf)
        // There are at most a hundred certificates, and mostly three, so a linear search is faster than a table.
        for certificate in chain.certificates.dropFirst() where !nodes.contains(certificate) { add(certificate) }
        presented = 1..<nodes.count
    }

    /// Searches for a path. A later call continues with the remaining budget and the known signatures.
    mutating func search(_ strictness: Strictness, accept: Acceptance) -> Outcome {
        do throws(TrustFinding) {
            if acceptsAnchoredLeaf, anchors.contains(where: { $0.contains(nodes[0]) }) {
                if let path = try complete([0], strictness, accept) { return .found(path) }
            }
            if let path = try extend([0], strictness, accept) { return .found(path) }
            return .exhausted
        } catch {
            return .overBudget(error)
        }
    }

    // MARK: - Search

    private mutating func extend(
        _ path: [Int], _ strictness: Strictness, _ accept: Acceptance
    ) throws(TrustFinding) -> VerifiedPath? {
        let candidates = candidates(of: path[path.count - 1])
        for issuer in candidates.anchors {
            guard try isUsable(issuer, above: path, strictness) else { continue }
            let longer = path + [issuer]
            if let found = try complete(longer, strictness, accept) { return found }
            guard longer.count < options.budget.pathLength else { continue }
            if let found = try extend(longer, strictness, accept) { return found }
        }
        // One position is reserved for the anchor.
        guard path.count < options.budget.pathLength - 1 else {
            if depthLimit == nil, !candidates.presented.isEmpty {
                depthLimit = .overBudget("certificates on a path", options.budget.pathLength)
            }
            return nil
        }
        for issuer in candidates.presented {
            guard try isUsable(issuer, above: path, strictness) else { continue }
            if let found = try extend(path + [issuer], strictness, accept) { return found }
        }
        return nil
    }

    private mutating func complete(
        _ path: [Int], _ strictness: Strictness, _ accept: Acceptance
    ) throws(TrustFinding) -> VerifiedPath? {
        let certificates = path.map { nodes[$0] }
        if strictness == .strict {
            let distrust = try anchorConstraints.violation(
                on: path, of: nodes, &nameConstraints, cost: &spent, budget: options.budget)
            if let distrust {
                firstViolation = firstViolation ?? AnchorCheck.finding(distrust, on: path, of: nodes)
                return nil
            }
            let violation = try nameConstraints.violation(
                on: path, of: nodes, cost: &spent, budget: options.budget)
            if let violation {
                firstViolation = firstViolation ?? NameConstraintCheck.finding(violation, of: nodes)
                return nil
            }
            let unmet = try policies.violation(
                on: path, of: nodes, options.certificatePolicies, cost: &spent, budget: options.budget)
            if let unmet {
                firstViolation = firstViolation ?? PolicyCheck.finding(unmet, on: path, of: nodes)
                return nil
            }
            let revoked = try revocation.problem(on: certificates, cost: &spent, budget: options.budget)
            if let revoked {
                firstViolation = firstViolation ?? revoked
                return nil
            }
        }
        let verified = VerifiedPath(verified: certificates)
        guard accept(verified) else { return nil }
        if strictness == .strict, hasNewLink { links?.remember(verified) }
        return verified
    }

    // MARK: - Candidates

    private mutating func candidates(of child: Int) -> Candidates {
        if let known = candidates[child] { return known }
        let anchors = anchorCandidates(of: child)
        // An anchor that the server also presented is tried as an anchor, and the search continues above it.
        let presented = presentedCandidates(of: child).filter { !anchors.contains($0) }
        let found = Candidates(anchors: anchors, presented: presented)
        // The search for candidates may have added anchors to the nodes.
        candidates[child] = found
        return found
    }

    /// Adds a certificate to the search.
    private mutating func add(_ node: CertificateView) {
        let twin = nodes.firstIndex {
            $0.parsed.subjectName == node.parsed.subjectName && $0.spkiDigest == node.spkiDigest
        }
        identities.append(twin ?? nodes.count)
        candidates.append(nil)
        fitIssuers.append(nil)
        if hasAnchorConstraints {
            anchorConstraints.note(nodes.count, anchors.flatMap { $0.constraints(of: node) })
        }
        nodes.append(node)
    }

    private mutating func anchorCandidates(of child: Int) -> [Int] {
        let wanted = nodes[child].parsed.issuerName
        var found: [Int] = []
        for index in anchors {
            for anchor in index.named(wanted) where anchor != nodes[child] {
                // The server's certificate is excluded: it starts every path, and may also be an anchor above another
                // certificate.
                if let known = nodes.indices.dropFirst().first(where: { nodes[$0] == anchor }) {
                    if !found.contains(known) { found.append(known) }
                } else {
                    found.append(nodes.count)
                    add(anchor)
                }
            }
        }
        return ordered(found, for: child)
    }

    private func presentedCandidates(of child: Int) -> [Int] {
        let wanted = nodes[child].parsed.issuerName
        return ordered(presented.filter { nodes[$0].parsed.subjectName == wanted }, for: child)
    }

    /// Sorts candidates: first those with the requested key identifier, then those without a key identifier, then the
    /// others.
    private func ordered(_ candidates: [Int], for child: Int) -> [Int] {
        let lower = nodes[child].parsed
        guard candidates.count > 1, let wanted = lower.extensions.authorityKeyIdentifier else { return candidates }
        let identifier = lower.der[wanted]
        func rank(_ index: Int) -> Int {
            guard let range = nodes[index].parsed.extensions.subjectKeyIdentifier else { return 1 }
            return nodes[index].parsed.der[range] == identifier ? 0 : 2
        }
        return candidates.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
            .map(\.element)
    }

    // MARK: - Links

    private mutating func isUsable(
        _ issuer: Int, above path: [Int], _ strictness: Strictness
    ) throws(TrustFinding) -> Bool {
        spent.candidates += 1
        guard spent.candidates <= options.budget.candidates else {
            throw .overBudget("candidate issuers", options.budget.candidates)
        }
        // RFC 4158, 5.2: the same name with the same key twice on a path is a loop.
        for index in path.dropFirst() where identities[index] == identities[issuer] { return false }
        if strictness == .strict {
            guard isFitIssuer(issuer), allowsLength(issuer, above: path) else { return false }
        }
        return try isSigned(path[path.count - 1], by: issuer)
    }

    private mutating func isFitIssuer(_ issuer: Int) -> Bool {
        if let known = fitIssuers[issuer] { return known }
        let isFit = CertificateCheck.issuerProblems(of: nodes[issuer], at: time, options).isEmpty
        fitIssuers[issuer] = isFit
        return isFit
    }

    private func allowsLength(_ issuer: Int, above path: [Int]) -> Bool {
        let limit = options.maximumIntermediates ?? nodes[issuer].parsed.extensions.basicConstraints?.pathLength
        guard limit != nil else { return true }
        return CertificateCheck.lengthProblem(
            of: nodes[issuer], intermediatesBelow: path.dropFirst().count { !nodes[$0].isSelfIssued }, options) == nil
    }

    private mutating func isSigned(_ child: Int, by issuer: Int) throws(TrustFinding) -> Bool {
        let link = Link(child: child, issuer: issuer)
        if let known = signatures[link] { return known }
        let isValid = try checkSignature(on: child, by: issuer)
        signatures[link] = isValid
        return isValid
    }

    private mutating func checkSignature(on child: Int, by issuer: Int) throws(TrustFinding) -> Bool {
        let (lower, upper) = (nodes[child], nodes[issuer])
        if let weakness = lower.parsed.signatureAlgorithm.weakness {
            note(.weakSignature, "The signature on \(lower.subject) is not secure: \(weakness).", lower)
            return false
        }
        if let weakness = upper.parsed.keyAlgorithm.weakness {
            note(.weakKey, "The key of \(upper.subject) is not secure: \(weakness).", upper)
            return false
        }
        if child > 0, links?.contains(lower, signedBy: upper) == true { return true }
        spent.signatureChecks += upper.parsed.keyAlgorithm.signatureChecks
        guard spent.signatureChecks <= options.budget.signatureChecks else {
            throw .overBudget("signature checks", options.budget.signatureChecks)
        }
        guard SignatureCheck.isValid(lower.parsed, signedBy: upper.parsed) else {
            note(.badSignature, "The signature on \(lower.subject) was not made by \(upper.subject).", lower)
            return false
        }
        if child > 0 { hasNewLink = true }
        return true
    }

    /// Stores the first broken link.
    private mutating func note(
        _ code: TrustFinding.Code, _ reason: @autoclosure () -> String, _ certificate: CertificateView
    ) {
        if brokenLink == nil { brokenLink = TrustFinding(code, reason(), about: certificate) }
    }
}
