import HoldfastTrust

extension FormatFitter {
    /// Fits an exclusion. A host can be excluded only if a rule covers it. Never excludes more hosts than before.
    mutating func exclusion(_ domain: FittedDomain) -> FittedDomain? {
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
    mutating func depths(of domain: FittedDomain) -> [FittedDomain] {
        let pattern = domain.pattern
        guard !can.depths.contains(pattern.depth) else { return [domain] }
        func with(_ depth: HostPattern.Depth) -> FittedDomain {
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
    private mutating func takePlace(_ domain: inout FittedDomain, of pattern: HostPattern) {
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
