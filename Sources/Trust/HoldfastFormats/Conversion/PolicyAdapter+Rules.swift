import HoldfastTrust

extension PolicyAdapter {
    /// Adapts one rule. Returns an empty array if the rule cannot be written, and two rules if the target needs two.
    mutating func adapt(_ domain: AdaptedDomain) -> [AdaptedDomain] {
        if domain.isExcluded { return exclusion(domain).map { [$0] } ?? [] }
        var domain = domain
        let refuses = domain.refusesEverything
        // If rules are combined in both formats, an empty list of one scope has the same meaning in both.
        let isSame = document.semantics.precedence == can.precedence && !domain.requiredScopes.contains(.any)
        if !refuses || can.refuses { adaptPins(&domain) }
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
        adaptReports(&domain)
        adaptExpiry(&domain)
        return depths(of: domain)
    }

    private mutating func adaptReports(_ domain: inout AdaptedDomain) {
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

    private mutating func adaptExpiry(_ domain: inout AdaptedDomain) {
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

    /// Adapts an exclusion. A host can be excluded only if a rule covers it. Never excludes more hosts than before.
    private mutating func exclusion(_ domain: AdaptedDomain) -> AdaptedDomain? {
        if can.isForOneHost { return domain }
        guard target == .android || !beneath(domain.pattern).isEmpty else {
            report.note(
                at: domain, .needlessExclusion,
                "the excluded host \(domain.pattern) is not covered by any rule, and is not written")
            return nil
        }
        let pattern = domain.pattern
        let depths: [HostPattern.Depth] =
            switch can.exclusion {
            case .none: []
            case .exactHost: [.exact]
            case .any: can.depths
            }
        let narrower = depths.map { HostPattern(pattern.host, depth: $0) }.last { pattern.reaches($0) }
        guard let narrower else {
            report.warning(
                at: domain, .exclusionLost, "\(pattern) cannot be excluded: the pins of its parent will apply to it")
            return nil
        }
        var result = domain
        result.pattern = narrower
        if narrower != pattern {
            report.warning(at: domain, .exclusionNarrowed, "only \(narrower) can be excluded, not all of \(pattern)")
        }
        return result
    }

    /// Splits a rule into depths that cover the same hosts, as exactly as the target allows.
    private mutating func depths(of domain: AdaptedDomain) -> [AdaptedDomain] {
        let pattern = domain.pattern
        guard !can.depths.contains(pattern.depth) else { return [domain] }
        func with(_ depth: HostPattern.Depth) -> AdaptedDomain {
            var result = domain
            result.pattern = HostPattern(pattern.host, depth: depth)
            return result
        }
        if pattern.depth == .apexAndOneLabel, can.depths.contains(.oneLabel) { return [with(.exact), with(.oneLabel)] }
        if let wider = can.depths.first(where: { HostPattern(pattern.host, depth: $0).reaches(pattern) }) {
            var result = with(wider)
            report.warning(at: domain, .depthWidened, "\(pattern) becomes \(result.pattern), which covers more hosts")
            if can.precedence == .mostSpecific { takePlace(&result, of: pattern) }
            return [result]
        }
        let result = with(can.depths.last ?? .exact)
        report.error(
            at: domain, .depthNarrowed,
            "\(pattern) becomes \(result.pattern); subdomains at deeper levels are no longer pinned")
        return [result]
    }

    /// Makes a widened rule at least as strict as the rules that it replaces for the additional hosts.
    private mutating func takePlace(_ domain: inout AdaptedDomain, of pattern: HostPattern) {
        for other in beneath(domain.pattern) {
            if other.refusesEverything {
                report.error(
                    at: domain, .refusalLost,
                    "the rule for \(other.pattern) refuses every connection, but the rule for \(pattern) replaces it")
            }
            if other.enforcement == .enforce { domain.enforcement = .enforce }
            domain.expires = domain.expires.flatMap { later($0, other.expires) }
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

extension PolicyAdapter {
    /// Converts combined rules into rules of which only the most specific applies. Each rule receives the pins of the
    /// rules that applied together with it.
    mutating func flatten(_ domains: inout [AdaptedDomain]) {
        let original = domains
        let index = PatternIndex(original.map(\.pattern))
        for place in domains.indices where !domains[place].isExcluded {
            let pattern = original[place].pattern
            for other in index.beneath(pattern).map({ original[$0] }) where !other.isExcluded {
                if other.pattern.reaches(pattern), other.expires == original[place].expires {
                    domains[place].add(other)
                    report.note(
                        at: domains[place], .precedenceFlattened,
                        "the rule for \(pattern) receives the pins of the rule for \(other.pattern), which were "
                            + "combined"
                    )
                } else {
                    // The rule has fewer pins than before, so its other settings must not become less strict.
                    if other.enforcement == .enforce { domains[place].enforcement = .enforce }
                    domains[place].expires = later(domains[place].expires, other.expires)
                    report.warning(
                        at: domains[place], .precedenceChanged,
                        "the pins of the rule for \(other.pattern) no longer apply to \(pattern)")
                }
            }
        }
    }

    /// Warns if rules of which only the most specific applied become combined rules: more pins match than before.
    mutating func warnOfUnion(_ domains: [AdaptedDomain]) {
        let index = PatternIndex(domains.map(\.pattern))
        for domain in domains where !domain.isExcluded {
            let pins = Set(domain.pins)
            for other in index.beneath(domain.pattern).map({ domains[$0] })
            where !other.isExcluded && !pins.isSuperset(of: other.pins) {
                report.warning(
                    at: domain, .precedenceChanged,
                    "the target combines rules: for \(domain.pattern), the pins of the rule for \(other.pattern) "
                        + "match too"
                )
            }
        }
    }

    /// Reports rules that refuse every connection. If rules are combined, any other rule for the same host overrides
    /// them.
    mutating func reportLostRefusals(_ domains: [AdaptedDomain]) {
        let index = PatternIndex(domains.map(\.pattern))
        for domain in domains where !domain.isExcluded {
            for other in index.atOrAbove(domain.pattern.host).map({ domains[$0] })
            where !other.isExcluded && other.mustRefuse != domain.mustRefuse && other.pattern.overlaps(domain.pattern) {
                let (refusing, passing) = other.mustRefuse ? (other, domain) : (domain, other)
                report.error(
                    at: refusing, .refusalLost,
                    "the rule for \(refusing.pattern) refuses every connection, but the rule for \(passing.pattern) "
                        + "overrides it"
                )
            }
        }
    }
}
