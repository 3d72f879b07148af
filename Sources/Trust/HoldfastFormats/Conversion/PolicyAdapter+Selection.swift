import HoldfastTrust

extension PolicyAdapter {
    /// The one rule that a format for one host can hold.
    mutating func select(_ host: String?, from domains: [AdaptedDomain]) -> AdaptedDomain? {
        let name = target == .hpkp ? "the header" : "curl's option"
        guard let chosen = choose(host, from: domains, name) else { return nil }
        if domains.count > 1 {
            report.warning(
                "other-hosts", "only what holds for \(chosen.pattern.host) is written; \(name) holds for one host",
                chosen.path, chosen.position)
        }
        if target == .curl, chosen.isExcluded {
            report.error("exclusion-lost", "there is no pin to write", chosen.path, chosen.position)
            return nil
        }
        return chosen
    }

    private mutating func choose(_ host: String?, from domains: [AdaptedDomain], _ name: String) -> AdaptedDomain? {
        guard let host else {
            if domains.count == 1 { return domains.first }
            report.error(
                "several-hosts", "\(name) holds for one host, and there are \(domains.count) rules: choose a host", "",
                nil)
            return nil
        }
        let canonical: CanonicalHost
        do throws(HostError) {
            canonical = try CanonicalHost(host)
        } catch {
            report.error("invalid-host", error.reason, "", nil)
            return nil
        }
        let covering = PatternIndex(domains.map(\.pattern)).atOrAbove(canonical).map { domains[$0] }
            .filter { $0.pattern.covers(canonical) }
        guard
            var chosen = covering.first(where: { one in
                covering.allSatisfy { !one.pattern.isLessSpecific(than: $0.pattern) }
            })
        else {
            report.error("no-rule", "no rule covers \(canonical)", "", nil)
            return nil
        }
        if document.semantics.precedence == .union, !chosen.isExcluded {
            for other in covering where other.pattern != chosen.pattern && !other.isExcluded { chosen.add(other) }
        }
        if chosen.pattern.host != canonical || target == .curl { chosen.pattern = HostPattern(canonical) }
        return chosen
    }
}
