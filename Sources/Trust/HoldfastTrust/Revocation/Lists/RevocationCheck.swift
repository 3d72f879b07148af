/// Looks up the certificates of a path in the revocation lists of a ``TrustEngine``.
///
/// Without a list for a certificate, the certificate passes, unless lists are required. If only lists that cannot be
/// used or that are incomplete cover a certificate, the path is refused, because the caller supplied the lists to have
/// them checked.
struct RevocationCheck {
    private let lists: [RevocationList]
    private let isRequired: Bool
    private var lookup: RevocationListLookup

    /// `presented` are the certificates among which may be those that only sign lists.
    init(_ options: VerificationOptions, presented: [CertificateView], at time: Timestamp) {
        lists = options.revocationLists
        isRequired = options.requiresRevocationLists
        lookup = RevocationListLookup(
            lists, presented: presented, at: time, checksDates: options.checksDates, requiresLists: isRequired,
            limit: options.budget.signatureChecks)
    }

    /// Returns a problem for the first certificate of the path that is revoked or whose status cannot be determined.
    mutating func problem(
        on path: [CertificateView], cost: inout VerificationCost, budget: VerificationBudget
    ) throws(TrustFinding) -> TrustFinding? {
        guard isRequired || !lists.isEmpty else { return nil }
        for (index, certificate) in path.dropLast().enumerated() {
            let before = lookup.spent
            let status = try lookup.status(of: index, on: path)
            cost.signatureChecks += lookup.spent - before
            guard cost.signatureChecks <= budget.signatureChecks else {
                throw .overBudget("signature checks", budget.signatureChecks)
            }
            if let problem = problem(status, certificate) { return problem }
        }
        return nil
    }

    private func problem(_ status: RevocationListLookup.Status, _ certificate: CertificateView) -> TrustFinding? {
        switch status {
        case .good: return nil
        case .revoked(let entry, _): return .revoked(certificate, entry)
        case .incomplete(let reason):
            return TrustFinding(
                .revocationListIncomplete, "The revocation status of \(certificate.subject) is unknown: \(reason).",
                about: certificate)
        case .unusable(let error, let list):
            return TrustFinding(
                .revocationUnknown, "The revocation list of \(list.issuerName) cannot be used: \(error.reason).",
                about: certificate)
        case .none:
            guard isRequired else { return nil }
            return TrustFinding(
                .revocationUnavailable, "No revocation list covers \(certificate.subject).", about: certificate)
        }
    }
}

extension TrustFinding {
    /// Returns the finding about a certificate in a revocation list.
    static func revoked(_ certificate: CertificateView, _ entry: RevocationEntry) -> TrustFinding {
        let reason = entry.reason.map { " (\($0.rawValue))" } ?? ""
        var finding = TrustFinding(
            .revoked, "\(certificate.subject) was revoked at \(entry.time)\(reason).", about: certificate)
        finding.facts.revokedAt = entry.time
        finding.facts.revocationReason = entry.reason
        return finding
    }
}
