/// The chat SDK's mode: listed keys in the place of system trust.
///
/// Dates and revocation are not looked at, the host name only as ``PinnedKeysOnly/HostnameVerification`` says. All
/// else is checked: a CA counts only if signatures link the server's certificate to it, and every link is held to the
/// rules of path validation. That the chain must be linked is the one deviation from the documented behaviour that
/// cannot be switched off: otherwise any server could append a pinned certificate to its own.
struct PinnedKeysVerification {
    var pins: PinnedKeysOnly
    var budget = VerificationBudget.standard
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
                ? "None of the \(pins.unreadableCount) trusted certificates could be read, so no server is trusted."
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

        // A certificate authority with a listed key, sent or not, ends a path; its own issuer does not matter.
        let sent = chain.certificates.dropFirst().filter { set.match($0, isLeaf: false) != nil }
        let listed = pins.certificates.filter { set.match($0, isLeaf: false) != nil }
        let options = VerificationOptions(
            host: pins.hostnameVerification == .never ? nil : subject.host, checksDates: false, budget: budget)
        let outcome = Verification(anchors: .only([]), options: options).run(
            chain, leaf, [PinnedKeysVerification.anchors(listed: listed, sent: sent)], at: time,
            acceptsAnchoredLeaf: false)
        if let path = outcome.path, let anchor = path.certificates.last, let pin = set.match(anchor, isLeaf: false) {
            return (matched(pin, "the key of \(anchor.subject), which the server is linked to"), path, [])
        }
        switch outcome.finding.code {
        case .unknownIssuer, .badSignature, .weakSignature:
            // Nothing links the server to a listed key: in this mode that is a mismatch, whatever else was sent.
            return (mismatch(chain, leaf, set), nil, [outcome.finding] + outcome.notices)
        default:
            return (outcome.finding, nil, outcome.notices)
        }
    }

    /// Where paths may end. Nobody's signature vouches for a sent certificate with a listed key, so whoever sends it
    /// could leave the path length or the name constraints of the real one out. Where a certificate with that key is
    /// listed, the sent one therefore says under what name the key signs, and the listed one says all else. For a key
    /// that is pinned by its hash alone there is nothing to hold the sent one against.
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
            ? "A pinned certificate was sent, but no signature links \(leaf.subject) to it."
            : "Neither the server's own key nor that of an authority it is linked to is among the trusted ones."
        return TrustFinding(.pinMismatch, reason, facts: facts)
    }
}
