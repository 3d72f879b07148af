import HoldfastTrust

extension FormatFitter {
    /// Converts combined rules into rules of which only the most specific applies. Each rule receives the pins of the
    /// rules that applied together with it.
    mutating func flatten(_ domains: inout [FittedDomain]) {
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
    mutating func warnOfUnion(_ domains: [FittedDomain]) {
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
    mutating func reportLostRefusals(_ domains: [FittedDomain]) {
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
