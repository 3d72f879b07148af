import HoldfastTrust

/// Fits a document into what a format can express, and says what is lost on the way.
///
/// Where something must give, hosts stay pinned and pins stay pins: what cannot be said exactly is said more strictly if
/// that can be said at all. What leaves a host unpinned is an error in the report.
struct PolicyAdapter {
    var report = Findings()
    let document: PolicyDocument
    let target: PolicyFormat
    let can: FormatCapabilities
    /// The rules before they are adapted, and where they are.
    var rules: [AdaptedDomain] = []
    var index = PatternIndex([])
    /// When what is written begins to hold, for formats that count from then.
    let time: Timestamp?

    init(_ document: PolicyDocument, to target: PolicyFormat, at time: Timestamp? = nil) {
        self.document = document
        self.target = target
        self.can = .of(target)
        self.time = time
    }

    /// The rules; `nil` if nothing can be written.
    mutating func adapt(host: String?) -> [AdaptedDomain]? {
        var domains = listed()
        if can.isForOneHost {
            guard let one = select(host, from: domains) else { return nil }
            domains = [one]
        } else if let precedence = can.precedence, precedence != document.semantics.precedence {
            switch precedence {
            case .mostSpecific: flatten(&domains)
            case .union: warnOfUnion(domains)
            }
        }
        rules = domains
        index = PatternIndex(domains.map(\.pattern))
        var adapted: [AdaptedDomain] = []
        for domain in domains { adapted += adapt(domain) }
        let result = can.isForOneHost ? adapted : merged(adapted)
        if can.precedence == .union { reportLostRefusals(result) }
        reportMissingBackups(result)
        reportGlobals(writing: result)
        if target == .trustKit, result.isEmpty {
            report.error(
                "no-rule", "there is no rule to write, and TrustKit refuses a configuration without one", "", nil)
            return nil
        }
        return result
    }

    /// The document's rules with their pin sets in place, and what an empty list means made explicit.
    private mutating func listed() -> [AdaptedDomain] {
        let sets = Dictionary(document.pinSets.map { ($0.name, $0.pins) }) { first, _ in first }
        var places: [HostPattern: Int] = [:]
        var result: [AdaptedDomain] = []
        for domain in document.domains {
            guard let rule = rule(domain, sets) else { continue }
            // Only where rules add up can there be two for one pattern.
            if let place = places[rule.pattern] {
                if result[place].expires != rule.expires {
                    report.warning(
                        "merged", "two rules for \(rule.pattern) that end at different times become one", rule.path,
                        rule.position)
                    result[place].expires = later(result[place].expires, rule.expires)
                }
                result[place].append(rule)
            } else {
                places[rule.pattern] = result.count
                result.append(rule)
            }
        }
        for place in result.indices { result[place].removeDuplicates() }
        return result
    }

    private mutating func rule(_ domain: PolicyDomain, _ sets: [String: [PolicyPin]]) -> AdaptedDomain? {
        guard let pattern = domain.pattern else { return nil }
        let listed = domain.isExcluded ? [] : domain.pins + (domain.pinSetName.flatMap { sets[$0] } ?? [])
        var result = AdaptedDomain(
            pattern: pattern, pins: listed.compactMap(\.pin).distinct(),
            everyScopeMustMatch: domain.everyScopeMustMatch, requiredScopes: domain.requiredScopes,
            enforcement: domain.enforcement, expires: domain.expires.map { max($0, .firstWritten) },
            isExcluded: domain.isExcluded,
            reportURIs: domain.reportURIs, path: domain.path, position: domain.position)
        guard !result.isExcluded, result.pins.isEmpty, domain.requiredScopes.isEmpty else { return result }
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

    /// A rule may enforce only since it was merged, or took another's place.
    private mutating func reportMissingBackups(_ domains: [AdaptedDomain]) {
        for domain in domains where !domain.isExcluded && !domain.pins.isEmpty && domain.enforcement == .enforce {
            guard Set(domain.pins.map(\.digest)).count < can.neededPins else { continue }
            report.warning(
                "backup-pin-needed", "the target refuses a rule with fewer than \(can.neededPins) pins", domain.path,
                domain.position)
        }
    }

    /// Rules that the target cannot keep apart become one: most formats have one entry for each host.
    private mutating func merged(_ domains: [AdaptedDomain]) -> [AdaptedDomain] {
        var places: [String: Int] = [:]
        var result: [AdaptedDomain] = []
        for domain in domains {
            let key = can.isKeyedByHost ? domain.pattern.host.text : domain.pattern.description
            if let place = places[key] {
                result[place] = merge(result[place], domain)
            } else {
                places[key] = result.count
                result.append(domain)
            }
        }
        return result
    }

    private mutating func merge(_ first: AdaptedDomain, _ second: AdaptedDomain) -> AdaptedDomain {
        let wider = second.pattern.reaches(first.pattern) ? second.pattern : first.pattern
        guard first.isExcluded == second.isExcluded else {
            let (kept, lost) = first.isExcluded ? (second, first) : (first, second)
            report.warning(
                "exclusion-lost",
                "\(lost.pattern) cannot be left out beside a rule for \(kept.pattern): its pins will hold for it",
                lost.path, lost.position)
            return kept
        }
        var result = first
        result.pattern = wider
        guard !first.isExcluded else { return result }
        report.warning(
            "merged",
            "the rules for \(first.pattern) and \(second.pattern) become one for \(wider), with the pins of both",
            second.path, second.position)
        if first.refusesEverything || second.refusesEverything {
            result = first.refusesEverything ? first : second
            result.pattern = wider
        } else {
            result.add(second)
        }
        result.expires = later(first.expires, second.expires)
        return result
    }

    /// The rules that would count for some host of a pattern if a rule for it were not there.
    func beneath(_ pattern: HostPattern) -> [AdaptedDomain] {
        index.beneath(pattern).map { rules[$0] }.filter { !$0.isExcluded }
    }

    /// The later end of two; none is later than any.
    func later(_ first: Timestamp?, _ second: Timestamp?) -> Timestamp? {
        guard let first, let second else { return nil }
        return max(first, second)
    }
}
