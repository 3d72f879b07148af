import HoldfastTrust

/// Something about a server that is no verdict, and wants to be known.
struct ProbeWarning: Hashable, Sendable {
    /// The kind: stable.
    enum Code: String, Hashable, Sendable, CaseIterable {
        /// The server's certificate ends soon, or has ended.
        case leafExpires
        /// Another certificate of the chain ends soon, or has ended.
        case issuerExpires
        /// The policy's rule for the host ends soon, or has ended.
        case policyExpires
        /// No rule of the policy is for the host, or it is left out.
        case notInPolicy
        /// No pin matches, and the policy only has that reported.
        case onlyReported
        /// A pinned key was shown that is on no verified path: it does not count.
        case pinNotVerified
        /// A certificate that was sent cannot be read.
        case unreadableCertificate
        /// A file of the folder is PEM.
        case pemFile
        /// Two connections in a row were answered otherwise.
        case differingAnswers
    }

    /// The kind.
    var code: Code
    /// One sentence, safe to print.
    var sentence: String
    /// What it is about, so that a watch says it once: a certificate's hash, a number of days.
    var detail: String = ""
    /// The days that are left, for an end.
    var daysLeft: Int64?

    var description: String { "\(code.rawValue): \(sentence)" }
}

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

/// Counts days to an end.
enum ExpiryDays {
    /// Whole days from `now` to `end`, rounded down: 0 in the last 24 hours, negative afterwards. Clamped, never a trap: the end is
    /// a server's word.
    static func left(from now: Timestamp, to end: Timestamp) -> Int64 {
        let (seconds, overflow) = end.secondsSince1970.subtractingReportingOverflow(now.secondsSince1970)
        guard !overflow else { return end < now ? .min : .max }
        let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        return rest < 0 ? days - 1 : days
    }

    /// Days in words.
    static func words(_ days: Int64) -> String {
        switch days {
        case ..<0: "ended"
        case 0: "less than a day left"
        case 1: "1 day left"
        default: "\(days) days left"
        }
    }
}
