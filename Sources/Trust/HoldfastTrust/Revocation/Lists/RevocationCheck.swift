/// Looks up the certificates of a path in revocation lists.
///
/// Each certificate is looked up in the lists of its issuer. Without a list of the issuer, the certificate passes. If a
/// list of the issuer cannot be used, the path is refused, because the caller supplied the list to have it checked.
enum RevocationCheck {
    /// Returns a problem for the first certificate of the path that is revoked or whose status cannot be determined.
    static func problem(
        on path: [CertificateView], _ lists: [RevocationList], at time: Timestamp, checksDates: Bool,
        cost: inout VerificationCost, budget: VerificationBudget
    ) throws(TrustFinding) -> TrustFinding? {
        guard !lists.isEmpty else { return nil }
        for (certificate, issuer) in zip(path, path.dropFirst()) {
            for list in lists where list.issuerDigest == issuer.parsed.subjectName {
                cost.signatureChecks += 1
                guard cost.signatureChecks <= budget.signatureChecks else {
                    throw .overBudget("signature checks", budget.signatureChecks)
                }
                if let defect = defect(of: list, by: issuer, at: time, checksDates) {
                    return TrustFinding(
                        .revocationUnknown, "The revocation list of \(issuer.subject) cannot be used: \(defect).",
                        about: certificate)
                }
                if list.revokes(serial: certificate.der[certificate.parsed.outline.serial]) {
                    return TrustFinding(
                        .revoked, "\(certificate.subject) was revoked by \(issuer.subject).", about: certificate)
                }
            }
        }
        return nil
    }

    private static func defect(
        of list: RevocationList, by issuer: CertificateView, at time: Timestamp, _ checksDates: Bool
    ) -> String? {
        if let defect = list.content.defects.first { return defect }
        // RFC 5280, 6.3.3 (f): if the key usage is present, it must allow signing lists.
        if let usage = issuer.parsed.extensions.keyUsage, !usage.crlSign {
            return "the issuer's key usage does not allow signing lists"
        }
        if let weakness = list.signatureAlgorithm.weakness { return weakness }
        if checksDates {
            if time < list.thisUpdate { return "the list is dated in the future (\(list.thisUpdate))" }
            if let next = list.nextUpdate, time > next { return "the list expired at \(next)" }
        }
        let isSigned = SignatureCheck.isValid(
            message: list.der[list.content.tbs], signature: list.der[list.content.signature], list.signatureAlgorithm,
            key: issuer.parsed)
        return isSigned ? nil : "its signature was not made by the issuer"
    }
}
