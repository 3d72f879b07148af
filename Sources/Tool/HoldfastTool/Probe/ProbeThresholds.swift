import HoldfastTrust

/// How many days before an end a warning begins.
struct ProbeThresholds: Hashable, Sendable {
    /// For the server's own certificate.
    var leaf: Int64 = 14
    /// For the certificates above it.
    var issuers: Int64 = 14
    /// For the rule of the policy.
    var policy: Int64 = 14

    /// The warnings about ends in a report, at its time.
    func warnings(on report: ProbeReport) -> [ProbeWarning] {
        var warnings: [ProbeWarning] = []
        for certificate in report.certificates {
            guard let end = certificate.notAfter, let days = certificate.daysLeft(at: report.time),
                days < (certificate.isLeaf ? leaf : issuers)
            else { continue }
            let who = certificate.isLeaf ? "the server's certificate" : "the certificate of \(certificate.subject)"
            warnings.append(
                ProbeWarning(
                    code: certificate.isLeaf ? .leafExpires : .issuerExpires,
                    sentence: "\(who) \(Self.words(end, days))", detail: certificate.fingerprint.base64, daysLeft: days)
            )
        }
        if let end = report.policyExpires {
            // From this instant on the pins do not apply, other than a certificate, which is valid up to its end.
            let days = ExpiryDays.left(from: report.time.advanced(bySeconds: 1), to: end)
            if days < policy {
                warnings.append(
                    ProbeWarning(
                        code: .policyExpires,
                        sentence: "the policy's rule for \(report.target.host) \(Self.words(end, days))",
                        detail: "\(end)", daysLeft: days))
            }
        }
        return warnings
    }

    private static func words(_ end: Timestamp, _ days: Int64) -> String {
        days < 0 ? "ended at \(end)" : "ends at \(end): \(ExpiryDays.words(days))"
    }
}
