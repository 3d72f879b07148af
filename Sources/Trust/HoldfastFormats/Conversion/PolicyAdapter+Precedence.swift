import HoldfastTrust

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
                        "precedence-flattened",
                        "the rule for \(pattern) takes over the pins of the one for \(other.pattern), which added up",
                        domains[place].path, domains[place].position)
                } else {
                    // Fewer pins than before, so the rest must not become laxer either.
                    if other.enforcement == .enforce { domains[place].enforcement = .enforce }
                    domains[place].expires = later(domains[place].expires, other.expires)
                    report.warning(
                        "precedence-changed",
                        "for \(pattern) the pins of the rule for \(other.pattern) counted too, and no longer do",
                        domains[place].path, domains[place].position)
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
                    "precedence-changed",
                    "rules add up in the target: for \(domain.pattern) the pins of the rule for \(other.pattern) will do too",
                    domain.path, domain.position)
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
                    "refusal-lost",
                    "the rule for \(refusing.pattern) lets nothing pass; beside the one for \(passing.pattern) it no longer does",
                    refusing.path, refusing.position)
            }
        }
    }
}
