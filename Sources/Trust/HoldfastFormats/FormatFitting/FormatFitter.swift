import HoldfastTrust

/// Fits the rules of a document to what a format can express, and reports what is lost.
///
/// Hosts stay pinned and pins stay pins. A rule that cannot be expressed exactly is expressed more strictly, if
/// possible. A host that is no longer pinned is an error in the report.
struct FormatFitter {
    var report = Findings()
    let document: PolicyDocument
    let target: PolicyFormat
    let can: FormatCapabilities
    /// The rules as they are in the document, and an index of their patterns.
    var rules: [FittedDomain] = []
    var index = PatternIndex([])
    /// The time at which the output takes effect, for formats that count from then.
    let time: Timestamp?

    init(_ document: PolicyDocument, to target: PolicyFormat, at time: Timestamp? = nil) {
        self.document = document
        self.target = target
        self.can = .of(target)
        self.time = time
    }

    /// Returns the fitted rules, or `nil` if nothing can be written.
    mutating func fit(host: String?) -> [FittedDomain]? {
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
        var fitted: [FittedDomain] = []
        for domain in domains { fitted += fit(domain) }
        let result = can.isForOneHost ? fitted : merged(fitted)
        if can.precedence == .union { reportLostRefusals(result) }
        reportMissingBackups(result)
        reportGlobals(writing: result)
        if target == .trustKit, result.isEmpty {
            report.error(.noRule, "there is no rule to write, and TrustKit refuses a configuration without rules", "")
            return nil
        }
        return result
    }

    /// Returns the document's rules with their pin sets resolved and the meaning of empty lists made explicit.
    private mutating func listed() -> [FittedDomain] {
        let sets = Dictionary(document.pinSets.map { ($0.name, $0.pins) }) { first, _ in first }
        var places: [HostPattern: Int] = [:]
        var result: [FittedDomain] = []
        for domain in document.domains {
            guard let rule = rule(domain, sets) else { continue }
            // Two rules can have the same pattern only if rules are combined.
            if let place = places[rule.pattern] {
                if result[place].expires != rule.expires {
                    report.warning(
                        at: rule, .merged, "two rules for \(rule.pattern) with different expiry times are merged")
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

    private mutating func rule(_ domain: PolicyDomain, _ sets: [String: [PolicyPin]]) -> FittedDomain? {
        guard let pattern = domain.pattern else { return nil }
        let listed = domain.isExcluded ? [] : domain.pins + (domain.pinSetName.flatMap { sets[$0] } ?? [])
        var result = FittedDomain(
            pattern: pattern, pins: listed.compactMap(\.pin).distinct(),
            everyScopeMustMatch: domain.everyScopeMustMatch, requiredScopes: domain.requiredScopes,
            enforcement: domain.enforcement, expires: domain.expires.map { max($0, .firstWritten) },
            isExcluded: domain.isExcluded,
            reportURIs: domain.reportURIs, transparency: domain.transparency, path: domain.path,
            position: domain.position)
        guard !result.isExcluded, result.pins.isEmpty, domain.requiredScopes.isEmpty else { return result }
        switch document.semantics.emptyPins {
        case .refuse, .error: result.requiredScopes = [.any]
        case .unpinned where document.semantics.precedence == .union:
            report.note(at: domain, .entryWithoutPins, "the entry for \(pattern) has no pins, and is not written")
            return nil
        case .unpinned: result.isExcluded = true
        }
        return result
    }

    /// Reports rules with too few pins. A rule can become enforced when it is merged or replaces another rule.
    private mutating func reportMissingBackups(_ domains: [FittedDomain]) {
        for domain in domains where !domain.isExcluded && !domain.pins.isEmpty && domain.enforcement == .enforce {
            guard Set(domain.pins.map(\.sha256)).count < can.neededPins else { continue }
            report.warning(
                at: domain, .backupPinNeeded, "the target refuses a rule with fewer than \(can.neededPins) pins")
        }
    }

    /// Merges rules that the target cannot distinguish: most formats allow one entry for each host.
    private mutating func merged(_ domains: [FittedDomain]) -> [FittedDomain] {
        var places: [String: Int] = [:]
        var result: [FittedDomain] = []
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

    private mutating func merge(_ first: FittedDomain, _ second: FittedDomain) -> FittedDomain {
        let wider = second.pattern.reaches(first.pattern) ? second.pattern : first.pattern
        guard first.isExcluded == second.isExcluded else {
            let (kept, lost) = first.isExcluded ? (second, first) : (first, second)
            report.warning(
                at: lost, .exclusionLost,
                "\(lost.pattern) cannot be excluded: the pins of the rule for \(kept.pattern) will apply to it")
            return kept
        }
        var result = first
        result.pattern = wider
        guard !first.isExcluded else { return result }
        report.warning(
            at: second, .merged,
            "the rules for \(first.pattern) and \(second.pattern) are merged for \(wider), with the pins of both")
        if first.refusesEverything || second.refusesEverything {
            result = first.refusesEverything ? first : second
            result.pattern = wider
        } else {
            result.add(second)
        }
        result.expires = later(first.expires, second.expires)
        return result
    }

    /// Returns the rules that apply to some host of a pattern if the rule for that pattern is removed.
    func beneath(_ pattern: HostPattern) -> [FittedDomain] {
        index.beneath(pattern).map { rules[$0] }.filter { !$0.isExcluded }
    }

    /// Returns the later of two expiry times. `nil`, which means that pins do not expire, is the latest.
    func later(_ first: Timestamp?, _ second: Timestamp?) -> Timestamp? {
        guard let first, let second else { return nil }
        return max(first, second)
    }

    /// Reports losses that do not belong to a single rule.
    mutating func reportGlobals(writing domains: [FittedDomain]) {
        if !document.denied.isEmpty { reportDenied(writing: domains) }
        reportTransparency()
        if let anchors = document.anchors {
            if anchors.replaceOthers {
                report.error(
                    .anchorsLost,
                    "the policy's own trust anchors replaced the system's; the system's would apply again",
                    "anchors")
            } else {
                report.warning(.anchorsLost, "trust anchors cannot be expressed", "anchors")
            }
        }
        if document.semantics.requiresRuleForEveryHost {
            report.error(.unlistedHostsLost, "hosts without a rule would no longer be refused", "unlistedHosts")
        }
        if target != .chromium, document.pinSets.contains(where: { !$0.pins.isEmpty }) {
            report.note(.namesLost, "the names of pin sets are not written", "pinSets")
        }
        let pins = document.domains.lazy.flatMap(\.pins)
        let shared = document.pinSets.lazy.flatMap(\.pins)
        if pins.contains(where: { $0.comment != nil }) || shared.contains(where: { $0.comment != nil }) {
            report.note(.commentsLost, "comments are not written", "")
        }
        if target == .chromium {
            report.note(
                .keyNames, "hashes are written instead of key names, which Chromium stores in a second file", "")
        }
    }

    private mutating func reportDenied(writing domains: [FittedDomain]) {
        guard can.denies, domains.contains(where: { !$0.isExcluded }) else {
            return report.error(.denyLost, "denied keys cannot be expressed and would be accepted", "deny")
        }
        report.warning(.denyNarrowed, "the keys are denied only for the listed hosts", "deny")
        if document.denied.contains(where: { $0.pin.map { $0.domain != .spki } ?? false }) {
            report.error(.denyLost, "a denied hash that is not the hash of an SPKI cannot be expressed", "deny")
        }
    }

    /// Selects the one rule that a format for a single host can express.
    mutating func select(_ host: String?, from domains: [FittedDomain]) -> FittedDomain? {
        let name = target == .hpkp ? "the header" : "curl's option"
        guard let chosen = choose(host, from: domains, name) else { return nil }
        if domains.count > 1 {
            report.warning(
                at: chosen, .otherHosts,
                "only the rule for \(chosen.pattern.host) is written; \(name) applies to one host")
        }
        if target == .curl, chosen.isExcluded {
            report.error(at: chosen, .exclusionLost, "there is no pin to write")
            return nil
        }
        return chosen
    }

    private mutating func choose(_ host: String?, from domains: [FittedDomain], _ name: String) -> FittedDomain? {
        guard let host else {
            if domains.count == 1 { return domains.first }
            report.error(
                .severalHosts, "\(name) applies to one host, but there are \(domains.count) rules: choose a host", "")
            return nil
        }
        let canonical: CanonicalHost
        do throws(HostError) {
            canonical = try CanonicalHost(host)
        } catch {
            report.error(.invalidHost, error.reason, "")
            return nil
        }
        let covering = PatternIndex(domains.map(\.pattern)).atOrAbove(canonical).map { domains[$0] }
            .filter { $0.pattern.covers(canonical) }
        guard
            var chosen = covering.first(where: { one in
                covering.allSatisfy { !one.pattern.isLessSpecific(than: $0.pattern) }
            })
        else {
            report.error(.noRule, "no rule covers \(canonical)", "")
            return nil
        }
        if document.semantics.precedence == .union, !chosen.isExcluded {
            for other in covering where other.pattern != chosen.pattern && !other.isExcluded { chosen.add(other) }
        }
        if chosen.pattern.host != canonical || target == .curl { chosen.pattern = HostPattern(canonical) }
        return chosen
    }
}
