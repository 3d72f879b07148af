import HoldfastTrust

/// Fits a document into what a format can express, and says what is lost on the way.
///
/// Where something must give, hosts stay pinned and pins stay pins: what cannot be said exactly is said more strictly if
/// that can be said at all. What leaves a host unpinned is an error in the report.
struct PolicyAdapter {
    private(set) var report = Findings()
    let document: PolicyDocument
    let target: PolicyFormat
    let can: FormatCapabilities

    init(_ document: PolicyDocument, to target: PolicyFormat) {
        self.document = document
        self.target = target
        self.can = .of(target)
    }

    /// The rules; `nil` if nothing can be written.
    mutating func adapt(host: String?) -> [AdaptedDomain]? {
        var domains = PolicyAdapter.domains(of: document, &report)
        if can.isForOneHost {
            guard let one = select(host, from: domains) else { return nil }
            domains = [one]
        } else if let precedence = can.precedence, precedence != document.semantics.precedence {
            switch precedence {
            case .mostSpecific: flatten(&domains)
            case .union: warnOfUnion(domains)
            }
        }
        globals()
        var seen: [HostPattern: Int] = [:]
        var result: [AdaptedDomain] = []
        for domain in domains.flatMap({ adapt($0, among: domains) }) {
            // Two depths may have become one.
            if let index = seen[domain.pattern], !can.isForOneHost {
                report.warning(
                    "merged", "two rules for \(domain.pattern) become one, with the pins of both", domain.path,
                    domain.position)
                result[index].pins += domain.pins.filter { !result[index].pins.contains($0) }
            } else {
                seen[domain.pattern] = result.count
                result.append(domain)
            }
        }
        return result
    }

    /// The document's rules with their pin sets in place, and what an empty list means made explicit.
    static func domains(of document: PolicyDocument, _ report: inout Findings) -> [AdaptedDomain] {
        let sets = Dictionary(document.pinSets.map { ($0.name, $0.pins) }) { first, _ in first }
        return document.domains.compactMap { domain in
            guard let pattern = domain.pattern else { return nil }
            let listed = domain.pins + (domain.pinSetName.flatMap { sets[$0] } ?? [])
            var pins: [Pin] = []
            for pin in listed.compactMap(\.pin) where !pins.contains(pin) { pins.append(pin) }
            var result = AdaptedDomain(
                pattern: pattern, pins: domain.isExcluded ? [] : pins, everyScopeMustMatch: domain.everyScopeMustMatch,
                requiredScopes: domain.requiredScopes, enforcement: domain.enforcement, expires: domain.expires,
                isExcluded: domain.isExcluded, reportURIs: domain.reportURIs, path: domain.path,
                position: domain.position)
            guard !result.isExcluded, pins.isEmpty, domain.requiredScopes.isEmpty else { return result }
            switch document.semantics.emptyPins {
            case .refuse, .error: result.requiredScopes = [.any]
            case .unpinned where document.semantics.precedence == .union:
                report.note(
                    "entry-without-pins", "the entry for \(pattern) pins nothing, and is left out", domain.path,
                    domain.position)
                return nil
            case .unpinned: result.isExcluded = true
            }
            return result
        }
    }

    private mutating func select(_ host: String?, from domains: [AdaptedDomain]) -> AdaptedDomain? {
        let name = target == .hpkp ? "the header" : "curl's option"
        var chosen: AdaptedDomain?
        if let host {
            guard let canonical = try? CanonicalHost(host) else {
                report.error("invalid-host", "\"\(Printable.text(host))\" is no host", "", nil)
                return nil
            }
            chosen =
                domains.first { $0.pattern.host == canonical && $0.pattern.covers(canonical) }
                ?? domains.filter { $0.pattern.covers(canonical) }
                .max { $0.pattern.host.text.utf8.count < $1.pattern.host.text.utf8.count }
            if document.semantics.precedence == .union, var union = chosen {
                for other in domains where other.pattern.covers(canonical) && !other.isExcluded {
                    union.pins += other.pins.filter { !union.pins.contains($0) }
                }
                chosen = union
            }
            if let found = chosen, found.pattern.host != canonical { chosen?.pattern = HostPattern(canonical) }
            if chosen == nil { report.error("no-rule", "no rule covers \(canonical)", "", nil) }
        } else if domains.count == 1 {
            chosen = domains.first
        } else {
            report.error(
                "several-hosts", "\(name) holds for one host, and there are \(domains.count) rules: choose a host", "",
                nil)
        }
        if let chosen, domains.count > 1 {
            report.warning(
                "other-hosts", "only what holds for \(chosen.pattern.host) is written; \(name) holds for one host",
                chosen.path, chosen.position)
        }
        if target == .curl, let chosen, chosen.isExcluded {
            report.error("exclusion-lost", "there is no pin to write", chosen.path, chosen.position)
            return nil
        }
        return chosen
    }

    // MARK: - Precedence

    /// Rules that add up become rules of which one counts: each takes over the pins of those that cover it.
    private mutating func flatten(_ domains: inout [AdaptedDomain]) {
        let original = domains
        for index in domains.indices where !domains[index].isExcluded {
            let pattern = domains[index].pattern
            for other in original where other.pattern != pattern && !other.isExcluded {
                guard other.pattern.overlaps(pattern),
                    other.pattern.host.text.utf8.count <= pattern.host.text.utf8.count
                else { continue }
                if other.pattern.reaches(pattern), other.enforcement == domains[index].enforcement,
                    other.expires == domains[index].expires, !other.everyScopeMustMatch,
                    !domains[index].everyScopeMustMatch
                {
                    domains[index].pins += other.pins.filter { !domains[index].pins.contains($0) }
                    report.note(
                        "precedence-flattened",
                        "the rule for \(pattern) takes over the pins of the one for \(other.pattern), which added up",
                        domains[index].path, domains[index].position)
                } else {
                    report.warning(
                        "precedence-changed",
                        "for \(pattern) the pins of the rule for \(other.pattern) counted too, and no longer do",
                        domains[index].path, domains[index].position)
                }
            }
        }
    }

    private mutating func warnOfUnion(_ domains: [AdaptedDomain]) {
        for domain in domains where !domain.isExcluded {
            for other in domains
            where other.pattern != domain.pattern && !other.isExcluded && other.pattern.overlaps(domain.pattern) {
                guard other.pattern.host.text.utf8.count < domain.pattern.host.text.utf8.count,
                    !other.pins.allSatisfy({ domain.pins.contains($0) })
                else { continue }
                report.warning(
                    "precedence-changed",
                    "rules add up in the target: for \(domain.pattern) the pins of the rule for \(other.pattern) will do too",
                    domain.path, domain.position)
            }
        }
    }

    // MARK: - What belongs to no rule

    private mutating func globals() {
        if !document.denied.isEmpty {
            if !can.denies {
                report.error("deny-lost", "denied keys cannot be expressed: they would be accepted", "deny", nil)
            } else {
                report.warning(
                    "deny-narrowed", "the keys are denied only for the hosts that are listed", "deny", nil)
                if document.denied.contains(where: { $0.pin.map { $0.domain != .spki } ?? false }) {
                    report.error(
                        "deny-lost", "a denied hash of something else than an SPKI cannot be expressed", "deny", nil)
                }
            }
        }
        if document.anchors != nil {
            report.warning("anchors-lost", "trust anchors cannot be expressed", "anchors", nil)
        }
        if document.semantics.requiresRuleForEveryHost {
            report.error(
                "unlisted-hosts-lost", "hosts without a rule would no longer be refused", "unlistedHosts", nil)
        }
        if document.pinSets.contains(where: { !$0.pins.isEmpty }) && target != .chromium {
            report.note("names-lost", "the names of pin sets are not written", "pinSets", nil)
        }
        if (document.domains.flatMap(\.pins) + document.pinSets.flatMap(\.pins)).contains(where: { $0.comment != nil })
        {
            report.note("comments-lost", "comments are not written", "", nil)
        }
        if target == .chromium {
            report.note(
                "key-names", "hashes stand in the place of key names, which Chromium keeps in a second file", "", nil)
        }
    }
}

extension PolicyAdapter {
    // MARK: - One rule

    private mutating func adapt(_ domain: AdaptedDomain, among all: [AdaptedDomain]) -> [AdaptedDomain] {
        var domain = domain
        func place() -> (String, SourcePosition?) { (domain.path, domain.position) }
        if domain.isExcluded {
            return exclusion(domain, among: all).map { [$0] } ?? []
        }
        adaptPins(&domain)
        if domain.refusesEverything, !can.refuses || domain.requiredScopes.contains(.any) && domain.pins.isEmpty {
            guard can.refuses else {
                report.error(
                    "rule-lost",
                    "the rule for \(domain.pattern) has no pin that could be written; its hosts would not be pinned",
                    place().0, place().1)
                return []
            }
            domain.requiredScopes = [.ca]
        }
        if Set(domain.pins.map(\.digest)).count < can.neededPins, domain.enforcement == .enforce {
            report.warning(
                "backup-pin-needed", "the target refuses a rule with fewer than \(can.neededPins) pins", place().0,
                place().1)
        }
        if domain.enforcement == .reportOnly {
            if !can.reportsOnly {
                report.warning(
                    "report-only-lost", "a mismatch for \(domain.pattern) was only reported, and will be refused",
                    place().0,
                    place().1)
                domain.enforcement = .enforce
            } else if target == .android {
                report.warning(
                    "report-only-lost",
                    "TrustKit-Android only reports on \(domain.pattern); Android 7 and later enforces the pins by itself",
                    place().0, place().1)
            }
        }
        if domain.reportURIs.count > can.reportURIs {
            report.warning(
                "report-uris-lost", "\(domain.reportURIs.count - can.reportURIs) report URIs cannot be expressed",
                place().0, place().1)
            domain.reportURIs = Array(domain.reportURIs.prefix(can.reportURIs))
        }
        adaptExpiry(&domain)
        return depth(domain)
    }

    private mutating func adaptPins(_ domain: inout AdaptedDomain) {
        let foreign = domain.pins.filter { $0.domain != .spki }
        for pin in foreign {
            report.warning(
                "pin-lost", "\(pin) is not the hash of an SPKI, and cannot be expressed", domain.path, domain.position)
        }
        domain.pins.removeAll { $0.domain != .spki }
        let scopes = Set(domain.pins.map(\.scope))
        if can.scopes == [.any] {
            if !scopes.isSubset(of: [.any]) {
                report.warning(
                    "scope-widened", "leaf and CA pins of \(domain.pattern) will match anywhere on the path",
                    domain.path,
                    domain.position)
            }
            if domain.everyScopeMustMatch, scopes.count > 1 {
                report.warning(
                    "every-scope-lost", "one match will do where one in each scope was needed", domain.path,
                    domain.position)
            }
            var pins: [Pin] = []
            for pin in domain.pins.map({ Pin($0.digest) }) where !pins.contains(pin) { pins.append(pin) }
            if domain.requiredScopes.contains(where: { !scopes.contains($0) }) { pins = [] }
            domain.pins = pins
        } else if can.scopes == [.leaf] {
            if domain.requiredScopes.contains(where: { !scopes.contains($0) }) { domain.pins = [] }
            let authorities = domain.pins.filter { $0.scope == .ca }
            for pin in authorities {
                report.warning(
                    "pin-lost", "\(pin) is for CAs, and only the server's own key is compared", domain.path,
                    domain.position)
            }
            if scopes.contains(.any) {
                report.warning(
                    "scope-narrowed", "pins of \(domain.pattern) will match only the server's own key", domain.path,
                    domain.position)
            }
            domain.pins = domain.pins.filter { $0.scope != .ca }.map { Pin($0.digest, scope: .leaf) }
        } else {
            if scopes.contains(.any) {
                let scope: Pin.Scope = scopes.contains(.leaf) && !scopes.contains(.ca) ? .leaf : .ca
                report.warning(
                    "scope-chosen",
                    "pins of \(domain.pattern) matched anywhere; they become \(scope == .ca ? "CA" : "leaf") identities, and a pin of the other kind no longer matches",
                    domain.path, domain.position)
                domain.pins = domain.pins.map { $0.scope == .any ? Pin($0.digest, scope: scope) : $0 }
            }
            if Set(domain.pins.map(\.scope)).count > 1, !domain.everyScopeMustMatch {
                report.warning(
                    "both-scopes-needed", "a leaf and a CA identity must both match in the target, where one would do",
                    domain.path, domain.position)
            }
        }
    }

    private mutating func adaptExpiry(_ domain: inout AdaptedDomain) {
        guard let expires = domain.expires else {
            if can.expiry == .age {
                report.note(
                    "age-chosen", "the pins have no end, and the header needs one: sixty days are written", domain.path,
                    domain.position)
            }
            return
        }
        switch can.expiry {
        case .never:
            report.warning(
                "expiry-lost", "the pins of \(domain.pattern) end at \(expires); in the target they never do",
                domain.path, domain.position)
            domain.expires = nil
        case .age:
            report.note(
                "relative-expiry", "max-age counts from when the header is received", domain.path, domain.position)
        case .dayInUTC, .localDay:
            let day: Int64 = 86_400
            let past = ((expires.secondsSince1970 % day) + day) % day
            if past != 0 {
                domain.expires = expires.advanced(bySeconds: day - past)
                report.warning(
                    "expiry-rounded",
                    "the pins of \(domain.pattern) end at \(expires); days alone can be written: the next one",
                    domain.path, domain.position)
            }
            if can.expiry == .localDay {
                report.note(
                    "local-expiry", "the day begins in the device's zone, up to 14 hours apart", domain.path,
                    domain.position)
            }
        }
    }

    private mutating func exclusion(_ domain: AdaptedDomain, among all: [AdaptedDomain]) -> AdaptedDomain? {
        if can.isForOneHost { return domain }
        let isBelowPins = all.contains {
            !$0.isExcluded && $0.pattern != domain.pattern && $0.pattern.overlaps(domain.pattern)
        }
        guard isBelowPins || can.exclusion == .any && target == .android else {
            report.note(
                "needless-exclusion", "\(domain.pattern) is left out of nothing, and is not written", domain.path,
                domain.position)
            return nil
        }
        switch can.exclusion {
        case .none:
            report.warning(
                "exclusion-lost", "\(domain.pattern) cannot be left out: the pins of its parent will hold for it",
                domain.path, domain.position)
            return nil
        case .exactHost where domain.pattern.depth != .exact:
            report.warning(
                "depth-narrowed", "of \(domain.pattern) only the host itself can be left out", domain.path,
                domain.position)
            var narrowed = domain
            narrowed.pattern = HostPattern(domain.pattern.host)
            return narrowed
        default: return depth(domain).first
        }
    }

    /// The depths that cover what the rule covers, as exactly as the target can.
    private mutating func depth(_ domain: AdaptedDomain) -> [AdaptedDomain] {
        let pattern = domain.pattern
        guard !can.depths.contains(pattern.depth) else { return [domain] }
        func with(_ depth: HostPattern.Depth) -> AdaptedDomain {
            var result = domain
            result.pattern = HostPattern(pattern.host, depth: depth)
            return result
        }
        if pattern.depth == .apexAndOneLabel, can.depths.contains(.oneLabel) { return [with(.exact), with(.oneLabel)] }
        if let wider = can.depths.first(where: { HostPattern(pattern.host, depth: $0).reaches(pattern) }) {
            let result = with(wider)
            report.warning(
                "depth-widened", "\(pattern) becomes \(result.pattern), which covers more", domain.path, domain.position
            )
            return [result]
        }
        let result = with(can.depths.last ?? .exact)
        report.error(
            "depth-narrowed", "\(pattern) becomes \(result.pattern); hosts further below are no longer pinned",
            domain.path, domain.position)
        return [result]
    }
}
