import HoldfastTrust

/// A warning about a server that does not change the verdict.
struct ProbeWarning: Hashable, Sendable {
    /// The kind of warning; stable.
    enum Code: String, Hashable, Sendable, CaseIterable {
        /// The server's certificate expires soon or has expired.
        case leafExpires
        /// Another certificate of the chain expires soon or has expired.
        case issuerExpires
        /// The policy's rule for the host expires soon or has expired.
        case policyExpires
        /// The policy has no rule for the host, or excludes it.
        case notInPolicy
        /// No pin matches, but the policy only reports that.
        case onlyReported
        /// A pinned key was presented that is on no verified path, so the pin does not count.
        case pinNotVerified
        /// A sent certificate cannot be read.
        case unreadableCertificate
        /// A file of the folder is PEM.
        case pemFile
        /// The server answered two successive connections differently.
        case differingAnswers
    }

    /// The kind of warning.
    var code: Code
    /// One sentence, safe to print.
    var sentence: String
    /// Identifies the subject, such as a certificate's hash or a number of days, so that a watch prints the warning
    /// once.
    var detail: String = ""
    /// The remaining days until an expiry.
    var daysLeft: Int64?

    var description: String { "\(code.rawValue): \(sentence)" }
}

/// The number of remaining days at which warnings begin.
struct ProbeThresholds: Hashable, Sendable {
    /// For the server's own certificate.
    var leaf: Int64 = 14
    /// For the certificates above it.
    var issuers: Int64 = 14
    /// For the rule of the policy.
    var policy: Int64 = 14

    /// Returns the expiry warnings for a report, at the report's time.
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
            // The pins stop applying at this instant; a certificate is still valid at its end.
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

/// Counts the days until an expiry.
enum ExpiryDays {
    /// Returns whole days from `now` to `end`, rounded down: 0 in the last 24 hours, negative afterwards. Clamps
    /// instead of trapping, because `end` comes from the server.
    static func left(from now: Timestamp, to end: Timestamp) -> Int64 {
        let (seconds, overflow) = end.secondsSince1970.subtractingReportingOverflow(now.secondsSince1970)
        guard !overflow else { return end < now ? .min : .max }
        let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        return rest < 0 ? days - 1 : days
    }

    /// Formats a number of days.
    static func words(_ days: Int64) -> String {
        switch days {
        case ..<0: "ended"
        case 0: "less than a day left"
        case 1: "1 day left"
        default: "\(days) days left"
        }
    }
}
