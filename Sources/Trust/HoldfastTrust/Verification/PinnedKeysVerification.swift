/// The mode of the chat SDK, in which listed keys replace system trust.
///
/// Deliberately not checked: validity dates and revocation. The host name is checked as
/// ``PinnedKeysOnly/HostnameVerification`` specifies. A listed CA key counts only if signatures link the server's
/// certificate to it, and every link must pass path validation.
///
/// The requirement of a linked chain is the only deviation from the documented behavior that cannot be disabled.
/// Without it, any server could append a pinned certificate to its own chain.
struct PinnedKeysVerification {
    var pins: PinnedKeysOnly
    var budget = VerificationBudget.standard
    var links: KnownLinks?
    static let name = "pinned keys only"

    func evaluate(_ chain: PresentedChain, for subject: TrustSubject, at time: Timestamp) -> TrustVerdict {
        let (finding, path, notices) = find(chain, subject, time)
        return TrustVerdict(
            decision: finding.isFavourable ? .allow : .block, finding: finding, subject: subject,
            policyName: PinnedKeysVerification.name, path: path,
            presented: chain, time: time,
            notices: notices)
    }

    private func find(
        _ chain: PresentedChain, _ subject: TrustSubject, _ time: Timestamp
    ) -> (TrustFinding, VerifiedPath?, [TrustFinding]) {
        let set = PinSet(pins.pins + pins.certificates.map { Pin($0.spkiDigest) })
        guard !set.isEmpty else {
            let reason =
                pins.unreadableCount > 0
                ? "All \(pins.unreadableCount) trusted certificates are unreadable, so no server is trusted."
                : "The list of trusted certificates is empty, so no server is trusted."
            return (TrustFinding(.noUsablePins, reason), nil, [])
        }
        if let problem = Verification.presentationProblem(of: chain, budget) { return (problem, nil, []) }
        guard let leaf = chain.leaf else { return (Verification.unreadableLeaf(chain), nil, []) }

        if let pin = set.match(leaf, isLeaf: true) {
            if pins.hostnameVerification == .always, !HostCheck.matches(leaf, subject.host) {
                let options = VerificationOptions(host: subject.host, checksDates: false, budget: budget)
                let problem = CertificateCheck.leafProblems(of: leaf, at: time, options)
                    .first { $0.code == .hostMismatch }
                if let problem { return (problem.finding, nil, []) }
            }
            return (matched(pin, "the server's own key"), VerifiedPath(verified: [leaf]), [])
        }

        // A path may end at any certificate authority with a listed key, whether the server sent it or not. The issuer
        // of that authority does not matter.
        let sent = chain.certificates.dropFirst().filter { set.match($0, isLeaf: false) != nil }
        let listed = pins.certificates.filter { set.match($0, isLeaf: false) != nil }
        let options = VerificationOptions(
            host: pins.hostnameVerification == .never ? nil : subject.host, checksDates: false, budget: budget)
        let outcome = Verification(anchors: .only([]), options: options, links: links).run(
            chain, leaf, [PinnedKeysVerification.anchors(listed: listed, sent: sent)], at: time,
            acceptsAnchoredLeaf: false)
        if let path = outcome.path, let anchor = path.certificates.last, let pin = set.match(anchor, isLeaf: false) {
            return (matched(pin, "the key of \(anchor.subject), an issuer of the server's certificate"), path, [])
        }
        switch outcome.finding.code {
        case .unknownIssuer, .badSignature, .weakSignature:
            // No signature links the server to a listed key. In this mode this is a mismatch, regardless of the other
            // certificates.
            return (mismatch(chain, leaf, set), nil, [outcome.finding] + outcome.notices)
        default:
            return (outcome.finding, nil, outcome.notices)
        }
    }

    /// Returns the anchors of the search.
    ///
    /// A sent certificate with a listed key is not verified by a signature. An attacker could therefore omit the path
    /// length or the name constraints of the original. If a listed certificate has the same key, its constraints apply,
    /// and the sent certificate only adds a name for the key. For a key that is pinned by its hash, there is no
    /// certificate to compare with.
    private static func anchors(listed: [CertificateView], sent: [CertificateView]) -> AnchorIndex {
        let listedByKey = Dictionary(grouping: listed, by: \.spkiDigest)
        var aliases: [(name: NameDigest, anchor: CertificateView)] = []
        var unlisted: [CertificateView] = []
        for certificate in sent {
            guard let known = listedByKey[certificate.spkiDigest] else {
                unlisted.append(certificate)
                continue
            }
            let name = certificate.parsed.subjectName
            aliases += known.map { (name, $0) }
        }
        return AnchorIndex(listed + unlisted, aliases: aliases)
    }

    private func matched(_ pin: Pin, _ what: String) -> TrustFinding {
        var facts = TrustFacts()
        facts.matchedPin = pin
        return TrustFinding(.pinMatched, "The pin \(pin) matches \(what).", facts: facts)
    }

    private func mismatch(_ chain: PresentedChain, _ leaf: CertificateView, _ set: PinSet) -> TrustFinding {
        var facts = TrustFacts()
        facts.expectedPins = set.listed
        facts.seenHashes = chain.certificates.map(\.spkiDigest)
        let smuggled = chain.certificates.dropFirst().contains { set.match($0, isLeaf: false) != nil }
        let reason =
            smuggled
            ? "The server sent a pinned certificate, but no signature links \(leaf.subject) to it."
            : "Neither the server's key nor the key of an issuer of its certificate is a trusted key."
        return TrustFinding(.pinMismatch, reason, facts: facts)
    }
}
