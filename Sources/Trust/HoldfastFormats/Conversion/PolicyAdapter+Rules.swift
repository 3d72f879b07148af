import HoldfastTrust

extension PolicyAdapter {
    /// One rule; none if it cannot be written, two where the target needs two for what it says.
    mutating func adapt(_ domain: AdaptedDomain) -> [AdaptedDomain] {
        if domain.isExcluded { return exclusion(domain).map { [$0] } ?? [] }
        var domain = domain
        let refuses = domain.refusesEverything
        // Where rules add up in both formats, an empty list of one scope means the same in both.
        let isSame = document.semantics.precedence == can.precedence && !domain.requiredScopes.contains(.any)
        if !refuses || can.refuses { adaptPins(&domain) }
        if refuses || domain.pins.isEmpty {
            guard can.refuses else {
                report.error(
                    at: domain, .ruleLost,
                    "the rule for \(domain.pattern) has no pin that could be written; its hosts would not be pinned")
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
                    "a mismatch for \(domain.pattern) was only reported, and will be refused")
                domain.enforcement = .enforce
            } else if target == .android {
                report.warning(
                    at: domain, .reportOnlyLost,
                    "TrustKit-Android only reports on \(domain.pattern); Android 7 and later enforces the pins by itself"
                )
            }
        }
        let usable = domain.reportURIs.filter(ReportURI.isUsable)
        let kept = Array(usable.prefix(can.reportURIs))
        if kept.count < domain.reportURIs.count {
            report.warning(
                at: domain, .reportURIsLost,
                "report URIs that cannot be expressed: \(domain.reportURIs.count - kept.count)")
        }
        domain.reportURIs = kept
    }

    private mutating func adaptExpiry(_ domain: inout AdaptedDomain) {
        let isHeaderOfReports = can.expiry == .age && domain.enforcement == .reportOnly
        guard let expires = domain.expires else {
            if can.expiry == .age, !isHeaderOfReports {
                report.note(
                    at: domain, .ageChosen, "the pins have no end, and the header needs one: sixty days are written")
            }
            return
        }
        // RFC 7469, 2.1.2: a header that only reports is not kept, and has no end.
        if can.expiry == .never || isHeaderOfReports || expires > Timestamp.lastWritten {
            report.warning(
                at: domain, .expiryLost, "the pins of \(domain.pattern) end at \(expires); in the target they never do")
            domain.expires = nil
            return
        }
        switch can.expiry {
        case .never: break
        case .age:
            guard time != nil else {
                report.warning(
                    at: domain, .ageChosen,
                    "the pins end at \(expires), and it is not known when the header begins to hold: sixty days are written"
                )
                return domain.expires = nil
            }
            report.note(at: domain, .relativeExpiry, "max-age counts from when the header is received")
        case .dayInUTC, .localDay:
            let start = expires.startOfDay
            if start != expires {
                domain.expires = start.advanced(bySeconds: 86_400)
                report.warning(
                    at: domain, .expiryRounded,
                    "the pins of \(domain.pattern) end at \(expires); days alone can be written: the next one")
            }
            if can.expiry == .localDay {
                report.note(at: domain, .localExpiry, "the day begins in the device's zone, up to 14 hours apart")
            }
        }
    }

    /// A host can be left out only where a rule pins it; and never may more be left out than before.
    private mutating func exclusion(_ domain: AdaptedDomain) -> AdaptedDomain? {
        if can.isForOneHost { return domain }
        guard target == .android || !beneath(domain.pattern).isEmpty else {
            report.note(at: domain, .needlessExclusion, "\(domain.pattern) is left out of nothing, and is not written")
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
                at: domain, .exclusionLost, "\(pattern) cannot be left out: the pins of its parent will hold for it")
            return nil
        }
        var result = domain
        result.pattern = narrower
        if narrower != pattern {
            report.warning(at: domain, .exclusionNarrowed, "of \(pattern) only \(narrower) can be left out")
        }
        return result
    }

    /// The depths that cover what the rule covers, as exactly as the target can.
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
            report.warning(at: domain, .depthWidened, "\(pattern) becomes \(result.pattern), which covers more")
            if can.precedence == .mostSpecific { takePlace(&result, of: pattern) }
            return [result]
        }
        let result = with(can.depths.last ?? .exact)
        report.error(
            at: domain, .depthNarrowed,
            "\(pattern) becomes \(result.pattern); hosts further below are no longer pinned")
        return [result]
    }

    /// A rule that covers more than before takes the place of others there, and must not be laxer than they are.
    private mutating func takePlace(_ domain: inout AdaptedDomain, of pattern: HostPattern) {
        for other in beneath(domain.pattern) {
            if other.refusesEverything {
                report.error(
                    at: domain, .refusalLost,
                    "the rule for \(other.pattern) lets nothing pass, and the one for \(pattern) takes its place")
            }
            if other.enforcement == .enforce { domain.enforcement = .enforce }
            domain.expires = domain.expires.flatMap { later($0, other.expires) }
        }
    }
}

extension Timestamp {
    /// The last day that a date with a year of four digits can name.
    static let lastWritten = Timestamp(secondsSince1970: 253_402_214_400)

    /// The first day of the year 1. What ended before it ended then: for a policy that is the same.
    static let firstWritten = Timestamp(secondsSince1970: -62_135_596_800)

    /// Midnight UTC at the beginning of the day.
    var startOfDay: Timestamp {
        let day: Int64 = 86_400
        return advanced(bySeconds: -(((secondsSince1970 % day) + day) % day))
    }
}

extension PolicyAdapter {
    /// Rules that add up become rules of which one counts: each takes over the pins of those that count beside it.
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
                        "the rule for \(pattern) takes over the pins of the one for \(other.pattern), which added up")
                } else {
                    // Fewer pins than before, so the rest must not become laxer either.
                    if other.enforcement == .enforce { domains[place].enforcement = .enforce }
                    domains[place].expires = later(domains[place].expires, other.expires)
                    report.warning(
                        at: domains[place], .precedenceChanged,
                        "for \(pattern) the pins of the rule for \(other.pattern) counted too, and no longer do")
                }
            }
        }
    }

    /// Rules of which one counts become rules that add up: more pins will do than before.
    mutating func warnOfUnion(_ domains: [AdaptedDomain]) {
        let index = PatternIndex(domains.map(\.pattern))
        for domain in domains where !domain.isExcluded {
            let pins = Set(domain.pins)
            for other in index.beneath(domain.pattern).map({ domains[$0] })
            where !other.isExcluded && !pins.isSuperset(of: other.pins) {
                report.warning(
                    at: domain, .precedenceChanged,
                    "rules add up in the target: for \(domain.pattern) the pins of the rule for \(other.pattern) will do too"
                )
            }
        }
    }

    /// Where rules add up, a rule that refuses everything is overruled by any other for the same host.
    mutating func reportLostRefusals(_ domains: [AdaptedDomain]) {
        let index = PatternIndex(domains.map(\.pattern))
        for domain in domains where !domain.isExcluded {
            for other in index.atOrAbove(domain.pattern.host).map({ domains[$0] })
            where !other.isExcluded && other.mustRefuse != domain.mustRefuse && other.pattern.overlaps(domain.pattern) {
                let (refusing, passing) = other.mustRefuse ? (other, domain) : (domain, other)
                report.error(
                    at: refusing, .refusalLost,
                    "the rule for \(refusing.pattern) lets nothing pass; beside the one for \(passing.pattern) it no longer does"
                )
            }
        }
    }
}
