import HoldfastTrust

extension IncidentDiagnosis {
    // MARK: Others who answer

    /// The diagnosis that something else than the server answered: the certificate is for other names.
    package static func captivePortal(_ evidence: IncidentEvidence) -> IncidentDiagnosis? {
        guard let leaf = evidence.chain.leaf, !leaf.covers(evidence.host), evidence.expectedCertificates.isEmpty else {
            return nil
        }
        var sentences: [String] = []
        if leaf.names.isEmpty {
            sentences.append("The certificate contains no name. Its subject is \(leaf.subject).")
        } else {
            let names = leaf.names.prefix(3).joined(separator: ", ")
            let more = leaf.nameCount > 3 ? " and \(leaf.nameCount - 3) more" : ""
            sentences.append("The certificate is for \(names)\(more), not for \(evidence.host).")
        }
        sentences.append("The apps pin other keys.")
        if !evidence.hostsWithSameRoot.isEmpty {
            sentences.append("Incidents of \(list(evidence.hostsWithSameRoot)) show the same root.")
        }
        return IncidentDiagnosis(.captivePortal, evidence: sentences)
    }

    /// The number of hosts with one foreign root that indicates an interception.
    package static let interceptedHosts = 3

    /// The diagnosis that a third party answers for many hosts: the certificates have the right names, but one root
    /// that is not a public authority. If the public authorities are not known, the apps must also have refused the
    /// chain.
    package static func interception(_ evidence: IncidentEvidence) -> IncidentDiagnosis? {
        guard let leaf = evidence.chain.leaf, leaf.covers(evidence.host), let root = evidence.chain.rootName,
            evidence.hostsWithSameRoot.count + 1 >= interceptedHosts, evidence.expectedCertificates.isEmpty
        else { return nil }
        let isForeign = evidence.isPubliclyTrusted.map { !$0 } ?? (evidence.result == .failedInvalidCertificateChain)
        guard isForeign else { return nil }
        var sentences = [
            "The certificates of \(evidence.hostsWithSameRoot.count + 1) hosts lead to the same root \(root): "
                + "\(list([evidence.host.text] + evidence.hostsWithSameRoot)).",
            evidence.isPubliclyTrusted == false
                ? "This root is not one of the public authorities that the collector's system trusts."
                : "The apps did not find a path to a trusted root.",
            "The certificate is made for this host, and not one of its keys is pinned.",
        ]
        if evidence.result == .failedNoMatchingPin {
            sentences.append("The devices trust the root: a person or an administrator has installed it.")
        }
        return IncidentDiagnosis(.interception, evidence: sentences)
    }

    // MARK: Rotations

    /// The diagnosis that the server changed to a key that another policy lists for the host. The apps that report do
    /// not have that policy yet.
    package static func rotationToKnownBackup(_ evidence: IncidentEvidence) -> IncidentDiagnosis? {
        guard let seen = changedKey(evidence) else { return nil }
        for certificate in evidence.chain.readable {
            let policies = evidence.catalog.policies(
                listing: certificate.pin, for: evidence.host, application: evidence.application)
            guard let newest = policies.first else { continue }
            let owner = certificate == seen ? "The server's key" : "The key of \(certificate.subject)"
            return IncidentDiagnosis(
                .rotationToKnownBackup,
                evidence: [
                    "\(owner), \(certificate.pin), is not in the policy of the reporting apps.",
                    "\(newest.title) lists this key for \(evidence.host).",
                ])
        }
        return nil
    }

    /// The diagnosis that the server changed to a key that no known policy lists: the certificate is valid for the
    /// host and leads to a public authority, but no pin matches.
    package static func rotationToUnknownKey(_ evidence: IncidentEvidence) -> IncidentDiagnosis? {
        guard let seen = changedKey(evidence), evidence.isPubliclyTrusted != false else { return nil }
        let pins = evidence.chain.readable.map(\.pin)
        let isKnown = pins.contains { pin in
            !evidence.catalog.policies(listing: pin, for: evidence.host, application: evidence.application).isEmpty
        }
        guard !isKnown else { return nil }
        var sentences = [
            "The certificate is valid for \(evidence.host), but its key \(seen.pin) is not pinned.",
            "The apps expect \(list(evidence.expectedPins)).",
            evidence.catalog.policies.isEmpty
                ? "The desk knows no bundle, so it cannot look for the key."
                : "No known policy (of \(evidence.catalog.policies.count)) lists a key of this chain for the host.",
        ]
        sentences.append(
            evidence.isPubliclyTrusted == true
                ? "The chain names a public authority, \(evidence.chain.rootName ?? "")."
                : "The apps found a path to a trusted root. The desk does not know the public authorities.")
        sentences.append(
            "An attacker with a certificate of a trusted authority looks the same. Ask the server's operator.")
        return IncidentDiagnosis(.rotationToUnknownKey, evidence: sentences)
    }

    /// The server's own certificate, if the apps accepted the chain and its names, but no pin matched. Reports of RFC
    /// 7469 have no result, but are sent only in this case.
    private static func changedKey(_ evidence: IncidentEvidence) -> DecodedCertificate? {
        guard evidence.result == .failedNoMatchingPin || evidence.result == nil, let leaf = evidence.chain.leaf,
            leaf.covers(evidence.host), evidence.expectedCertificates.isEmpty, !evidence.expectedPins.isEmpty
        else { return nil }
        let time = evidence.clocks.map(\.receivedAt).max() ?? evidence.now
        return evidence.chain.readable.allSatisfy { $0.isValid(at: time) } ? leaf : nil
    }

    // MARK: Nothing fits

    /// The diagnosis that no explanation fits, with the facts that exclude the others.
    package static func unknown(_ evidence: IncidentEvidence) -> IncidentDiagnosis {
        var sentences: [String] = []
        if evidence.chain.readable.isEmpty {
            sentences.append("No stored report contains a readable certificate.")
        }
        if let expected = evidence.expectedCertificates.first {
            sentences.append(
                "The chain contains the pinned key \(expected.pin). "
                    + "Check deny, scopes and required matches of the policy, and whether the reports are forged.")
        }
        if let leaf = evidence.chain.leaf, leaf.covers(evidence.host), evidence.isPubliclyTrusted == false {
            sentences.append(
                "The root \(evidence.chain.rootName ?? "") is not a public authority, but too few hosts show it "
                    + "to speak of an interception.")
        }
        if sentences.isEmpty { sentences.append("The reports do not fit a known cause.") }
        return IncidentDiagnosis(.unknown, evidence: sentences)
    }

    /// Lists at most five texts.
    private static func list(_ texts: [String]) -> String {
        let shown = texts.prefix(5).joined(separator: ", ")
        return texts.count > 5 ? "\(shown) and \(texts.count - 5) more" : shown
    }
}
