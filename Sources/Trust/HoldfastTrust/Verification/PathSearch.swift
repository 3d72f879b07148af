/// Looks for a path from the server's certificate to a trust anchor.
///
/// A depth-first search with backtracking in the manner of RFC 4158: anchors before presented certificates, a matching
/// key identifier before others, no certificate and no (name, key) twice on a path. Cheap checks come before signature
/// checks, each signature is checked once, and every step counts against a budget, so that the work is bounded whatever
/// is presented.
///
/// A path may pass through an anchor: where the one that ends there does not meet the requirement, the search goes on to
/// the anchor's own issuers, among which may be the root that is pinned.
struct PathSearch {
    /// Whether a complete path is taken; otherwise the search goes on.
    typealias Acceptance = (VerifiedPath) -> Bool

    /// How a search ended.
    enum Outcome {
        case found(VerifiedPath)
        case exhausted
        case overBudget(TrustFinding)
    }

    /// With which strictness candidates are taken.
    enum Strictness {
        /// All checks.
        case strict
        /// Names and signatures alone: finds the path whose shortcomings are worth telling.
        case linksOnly
    }

    private struct Link: Hashable {
        var child: Int
        var issuer: Int
    }

    /// The possible issuers of a certificate, best first. They do not depend on the path below it.
    private struct Candidates {
        var anchors: [Int]
        var presented: [Int]
    }

    private let anchors: [AnchorIndex]
    private let options: VerificationOptions
    private let time: Timestamp
    private let acceptsAnchoredLeaf: Bool

    /// The server's certificate, the other presented ones, and anchors as they are met.
    private var nodes: [CertificateView]
    private var presented = 0..<0
    /// For each node a number for its subject and key, the same for the same pair. The search compares these alone: a
    /// peer chooses how long a name is, and would choose how long each of ten thousand comparisons takes.
    private var identities: [Int] = []
    private var candidates: [Candidates?] = []

    private var signatures: [Link: Bool] = [:]
    private var fitIssuers: [Bool?] = []
    private var nameConstraints = NameConstraintCheck()
    /// What the searches have cost so far.
    private(set) var spent = VerificationCost()

    /// A weak or wrong signature met on a link whose names fit; the best explanation where no path is found at all.
    private(set) var brokenLink: TrustFinding?
    /// Set where a path could have gone on, had it not been as long as paths may be.
    private(set) var depthLimit: TrustFinding?
    /// The first reason why a complete path was not valid.
    private(set) var firstViolation: TrustFinding?

    init(
        chain: PresentedChain, leaf: CertificateView, anchors: [AnchorIndex], options: VerificationOptions,
        time: Timestamp, acceptsAnchoredLeaf: Bool = true
    ) {
        self.anchors = anchors
        self.options = options
        self.time = time
        self.acceptsAnchoredLeaf = acceptsAnchoredLeaf
        nodes = []
        add(leaf)
        // A hundred certificates at most, and mostly three: to look through them takes less than to keep tables.
        for certificate in chain.certificates.dropFirst() where !nodes.contains(certificate) { add(certificate) }
        presented = 1..<nodes.count
    }

    /// Searches. A later call goes on with the budget that is left and the signatures that are known.
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
        // One place is kept for the anchor.
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
            let violation = try nameConstraints.violation(
                on: path, of: nodes, cost: &spent, budget: options.budget)
            if let violation {
                firstViolation = firstViolation ?? NameConstraintCheck.finding(violation, of: nodes)
                return nil
            }
            let revoked = try RevocationCheck.problem(
                on: certificates, options.revocationLists, at: time, checksDates: options.checksDates, cost: &spent,
                budget: options.budget)
            if let revoked {
                firstViolation = firstViolation ?? revoked
                return nil
            }
        }
        let verified = VerifiedPath(verified: certificates)
        return accept(verified) ? verified : nil
    }

    // MARK: - Candidates

    private mutating func candidates(of child: Int) -> Candidates {
        if let known = candidates[child] { return known }
        let anchors = anchorCandidates(of: child)
        // An anchor that was presented, too, is tried as an anchor, and the search goes on above it from there.
        let presented = presentedCandidates(of: child).filter { !anchors.contains($0) }
        let found = Candidates(anchors: anchors, presented: presented)
        // Looking for them may have made nodes of anchors.
        candidates[child] = found
        return found
    }

    /// Takes a certificate into the search.
    private mutating func add(_ node: CertificateView) {
        let twin = nodes.firstIndex {
            $0.parsed.subjectName == node.parsed.subjectName && $0.spkiDigest == node.spkiDigest
        }
        identities.append(twin ?? nodes.count)
        candidates.append(nil)
        fitIssuers.append(nil)
        nodes.append(node)
    }

    private mutating func anchorCandidates(of child: Int) -> [Int] {
        let wanted = nodes[child].parsed.issuerName
        var found: [Int] = []
        for index in anchors {
            for anchor in index.named(wanted) where anchor != nodes[child] {
                // The server's certificate stays apart: it begins every path, and may be an anchor above another.
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

    /// Candidates whose key identifier is the wanted one come first, then those without one, then the others.
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
        let isValid = try isSigned(nodes[child], by: nodes[issuer])
        signatures[link] = isValid
        return isValid
    }

    private mutating func isSigned(
        _ lower: CertificateView, by upper: CertificateView
    ) throws(TrustFinding) -> Bool {
        if let weakness = lower.parsed.signatureAlgorithm.weakness {
            note(.weakSignature, "\(lower.subject) cannot be relied on: \(weakness).", lower)
            return false
        }
        if let weakness = upper.parsed.keyAlgorithm.weakness {
            note(.weakKey, "\(upper.subject) cannot be relied on: \(weakness).", upper)
            return false
        }
        spent.signatureChecks += upper.parsed.keyAlgorithm.signatureChecks
        guard spent.signatureChecks <= options.budget.signatureChecks else {
            throw .overBudget("signature checks", options.budget.signatureChecks)
        }
        if SignatureCheck.isValid(lower.parsed, signedBy: upper.parsed) { return true }
        note(.badSignature, "The signature on \(lower.subject) was not made by \(upper.subject).", lower)
        return false
    }

    /// Keeps the first broken link.
    private mutating func note(
        _ code: TrustFinding.Code, _ reason: @autoclosure () -> String, _ certificate: CertificateView
    ) {
        if brokenLink == nil { brokenLink = TrustFinding(code, reason(), about: certificate) }
    }
}

/// A path from the server's certificate to a trust anchor whose every link was verified.
///
/// Only the verifier makes one. Pins are compared with this type alone, so that a pinned certificate that an attacker
/// adds to the chain has no effect.
public struct VerifiedPath: Hashable, Sendable {
    /// The server's certificate first, the trust anchor last. One element where the server's own key is what is trusted.
    public let certificates: [CertificateView]

    init(verified certificates: [CertificateView]) {
        self.certificates = certificates
    }

    /// The SPKI hashes along the path, the server's first.
    public var hashes: [SPKIDigest] { certificates.map(\.spkiDigest) }
}
