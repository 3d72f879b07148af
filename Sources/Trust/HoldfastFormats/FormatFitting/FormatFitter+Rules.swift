import HoldfastTrust

extension FormatFitter {
    /// Fits one rule. Returns an empty array if the rule cannot be written, and two rules if the target needs two.
    mutating func fit(_ domain: FittedDomain) -> [FittedDomain] {
        if domain.isExcluded { return exclusion(domain).map { [$0] } ?? [] }
        var domain = domain
        let refuses = domain.refusesEverything
        // If rules are combined in both formats, an empty list of one scope has the same meaning in both.
        let isSame = document.semantics.precedence == can.precedence && !domain.requiredScopes.contains(.any)
        if !refuses || can.refuses { fitPins(&domain) }
        if refuses || domain.pins.isEmpty {
            guard can.refuses else {
                report.error(
                    at: domain, .ruleLost,
                    "the rule for \(domain.pattern) has no pin that can be written; its hosts would not be pinned")
                return []
            }
            if !isSame || domain.requiredScopes.isEmpty || !domain.refusesEverything {
                domain.pins = []
                domain.requiredScopes = [.ca]
                domain.mustRefuse = true
            }
        }
        fitReports(&domain)
        fitExpiry(&domain)
        return depths(of: domain)
    }

    /// Reports required certificate timestamps that the target cannot express. Android requires Chrome's policy, and
    /// its most specific configuration decides, so that combined rules cannot be expressed.
    mutating func reportTransparency() {
        for domain in document.domains {
            guard let requirement = domain.transparency, let pattern = domain.pattern else { continue }
            guard target == .android, document.semantics.precedence == .mostSpecific else {
                report.error(
                    at: domain, .transparencyLost,
                    "certificate timestamps would no longer be required of \(pattern)")
                continue
            }
            guard requirement != .chrome else { continue }
            report.warning(
                at: domain, .transparencyChanged,
                "the requirement of certificate timestamps for \(pattern) becomes Android's own, which follows Chrome's "
                    + "policy")
        }
    }

    private mutating func fitReports(_ domain: inout FittedDomain) {
        if domain.enforcement == .reportOnly {
            if !can.reportsOnly {
                report.warning(
                    at: domain, .reportOnlyLost,
                    "a mismatch for \(domain.pattern) was only reported, and will now be refused")
                domain.enforcement = .enforce
            } else if target == .android {
                report.warning(
                    at: domain, .reportOnlyLost,
                    "TrustKit-Android only reports on \(domain.pattern); Android 7 and later enforces the pins itself"
                )
            }
        }
        let usable = domain.reportURIs.filter(ReportURI.isUsable)
        let kept = Array(usable.prefix(can.reportURIs))
        if kept.count < domain.reportURIs.count {
            report.warning(
                at: domain, .reportURIsLost,
                "report URIs that the target cannot express: \(domain.reportURIs.count - kept.count)")
        }
        domain.reportURIs = kept
    }

    private mutating func fitExpiry(_ domain: inout FittedDomain) {
        let isHeaderOfReports = can.expiry == .age && domain.enforcement == .reportOnly
        guard let expires = domain.expires else {
            if can.expiry == .age, !isHeaderOfReports {
                report.note(
                    at: domain, .ageChosen,
                    "the pins do not expire, but the header requires a max-age: sixty days are written")
            }
            return
        }
        // RFC 7469, 2.1.2: browsers do not store a report-only header, so it does not expire.
        if can.expiry == .never || isHeaderOfReports || expires > Timestamp.lastWritten {
            report.warning(
                at: domain, .expiryLost,
                "the pins of \(domain.pattern) expire at \(expires); in the target they do not expire")
            domain.expires = nil
            return
        }
        switch can.expiry {
        case .never: break
        case .age:
            guard time != nil else {
                report.warning(
                    at: domain, .ageChosen,
                    "the pins expire at \(expires), but the time when the header is sent is unknown: sixty days are "
                        + "written"
                )
                return domain.expires = nil
            }
            report.note(at: domain, .relativeExpiry, "max-age counts from the time at which the header is received")
        case .dayInUTC, .localDay:
            let start = expires.startOfDay
            if start != expires {
                domain.expires = start.advanced(bySeconds: 86_400)
                report.warning(
                    at: domain, .expiryRounded,
                    "the pins of \(domain.pattern) expire at \(expires); only days can be written: the next day is used"
                )
            }
            if can.expiry == .localDay {
                report.note(
                    at: domain, .localExpiry, "the day begins in the device's time zone, up to 14 hours apart from UTC")
            }
        }
    }
}

extension Timestamp {
    /// The last day that a date with a four-digit year can express.
    static let lastWritten = Timestamp(secondsSince1970: 253_402_214_400)

    /// The first day of the year 1. Earlier expiry times are replaced with this one, which has the same effect.
    static let firstWritten = Timestamp(secondsSince1970: -62_135_596_800)

    /// Midnight UTC at the beginning of the day.
    var startOfDay: Timestamp {
        let day: Int64 = 86_400
        return advanced(bySeconds: -(((secondsSince1970 % day) + day) % day))
    }
}
