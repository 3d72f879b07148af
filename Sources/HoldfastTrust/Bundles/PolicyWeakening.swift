/// Finds what a new policy takes back of an old one.
enum PolicyWeakening {
    /// The first thing that is taken back without permission, in words; `nil` if there is none.
    static func found(
        from old: PinningPolicy, to new: PinningPolicy, at time: Timestamp, allowing permissions: BundlePermissions
    ) -> String? {
        if !permissions.contains(.unpin) {
            if let lost = old.denied.pins.subtracting(new.denied.pins).first { return "it no longer denies \(lost)" }
            if old.requiresRuleForEveryHost, !new.requiresRuleForEveryHost {
                return "it lets hosts without a rule through"
            }
        }
        if !permissions.contains(.anchors), let reason = anchors(from: old.anchors, to: new.anchors) { return reason }
        for rule in old.rules where !rule.isExcluded && !rule.isExpired(at: time) {
            if let reason = loss(of: rule, in: new, old, at: time, permissions) { return reason }
        }
        return old.requiresRuleForEveryHost ? admission(in: new, old, at: time, permissions) : nil
    }

    /// Where hosts without a rule are refused, a rule for such a host lets it through: that is no loss only if it brings
    /// pins that are enforced, and that do not end before all others.
    private static func admission(
        in new: PinningPolicy, _ old: PinningPolicy, at time: Timestamp, _ permissions: BundlePermissions
    ) -> String? {
        let ends = old.rules.filter { !$0.isExcluded }
        for candidate in new.rules where !old.rules.contains(where: { $0.pattern.reaches(candidate.pattern) }) {
            if !permissions.contains(.unpin) {
                if candidate.isExcluded { return "it lets \(candidate.pattern), which was refused, through" }
                if candidate.isExpired(at: time) || candidate.expires != nil && ends.allSatisfy(candidate.endsBefore) {
                    return "it lets \(candidate.pattern), which was refused, through when its pins end"
                }
            }
            if candidate.enforcement == .reportOnly, !candidate.isExcluded, !permissions.contains(.reportOnly) {
                return "it only reports on \(candidate.pattern), which was refused"
            }
        }
        return nil
    }

    /// A rule may change its pins, but not ask for matches in fewer scopes.
    private static func fewerMatches(from rule: PinningRule, to candidate: PinningRule) -> String? {
        let old = rule.neededScopes
        guard old.count > 1 || !rule.requiredScopes.isEmpty,
            let scope = Pin.Scope.allCases.first(where: {
                old.contains($0) && !candidate.neededScopes.contains($0)
            })
        else { return nil }
        return "it no longer needs a match in the scope \"\(scope.rawValue)\" for \(candidate.pattern)"
    }

    private static func anchors(from old: LocalAnchors?, to new: LocalAnchors?) -> String? {
        if old?.replaceOthers == true, new?.replaceOthers != true { return "it lets other trust anchors in again" }
        guard let new else { return nil }
        let known = Set(old?.certificates ?? [])
        if let added = new.certificates.first(where: { !known.contains($0) }) {
            return "it adds the trust anchor \(added.subject)"
        }
        if new.pinning != .enforced, old?.pinning == .enforced { return "it switches pins off for local anchors" }
        if new.pinning == .dangerouslyBypassed, old?.pinning == .dangerouslyBypassedAndReported {
            return "it no longer reports that pins are bypassed"
        }
        return nil
    }

    private static func loss(
        of rule: PinningRule, in new: PinningPolicy, _ old: PinningPolicy, at time: Timestamp,
        _ permissions: BundlePermissions
    ) -> String? {
        let successors = new.rules.filter { $0.pattern.reaches(rule.pattern) }
        if !permissions.contains(.unpin) {
            let pinning = successors.filter { !$0.isExcluded }
            guard !pinning.isEmpty else { return "it no longer pins \(rule.pattern)" }
            guard pinning.contains(where: { !$0.isExpired(at: time) }) else {
                return "its pins for \(rule.pattern) have expired"
            }
            // Pins that end soon are pins that are taken back soon.
            guard pinning.contains(where: { !$0.endsBefore(rule) }) else {
                return "its pins for \(rule.pattern) end earlier than those before"
            }
        }
        // A rule for a part of what the old one covers must not be weaker than it, unless it was there before: and then
        // too where it now counts alone, and the old one counted beside it.
        let countsAlone = old.precedence == .union && new.precedence == .mostSpecific
        for candidate in new.rules
        where candidate.pattern.overlaps(rule.pattern) && (countsAlone || !old.rules.contains(candidate)) {
            let covering = old.rules(covering: candidate.host).first
            if let covering, covering.isExcluded, covering.pattern == candidate.pattern { continue }
            if !permissions.contains(.unpin) {
                if candidate.isExcluded { return "it leaves \(candidate.pattern) out" }
                if candidate.endsBefore(rule), new.precedence == .mostSpecific {
                    return "its pins for \(candidate.pattern) end earlier than those for \(rule.pattern)"
                }
                if let reason = fewerMatches(from: rule, to: candidate) { return reason }
            }
            if !candidate.isExcluded, rule.enforcement == .enforce, candidate.enforcement == .reportOnly,
                !permissions.contains(.reportOnly)
            {
                return "it only reports on \(candidate.pattern)"
            }
        }
        return nil
    }
}

extension PinningRule {
    /// The scopes in each of which a pin must match.
    fileprivate var neededScopes: Set<Pin.Scope> {
        requiredScopes.union(everyScopeMustMatch ? pins.pins.map(\.scope) : [])
    }

    /// Whether this rule's pins stop to apply before those of another.
    fileprivate func endsBefore(_ other: PinningRule) -> Bool {
        guard let expires else { return false }
        return other.expires.map { expires < $0 } ?? true
    }
}

extension HostPattern {
    /// Whether every host of another pattern is covered by this one.
    package func reaches(_ other: HostPattern) -> Bool {
        if host == other.host {
            let order = [0, 1, 2, 3]
            return order.allSatisfy { !other.depth.covers(labelsBelow: $0) || depth.covers(labelsBelow: $0) }
        }
        guard other.host.text.hasSuffix("." + host.text), !other.host.isIPLiteral else { return false }
        let below = other.host.text.dropLast(host.text.count + 1).split(separator: ".").count
        return [0, 1, 2, 3].allSatisfy {
            !other.depth.covers(labelsBelow: $0) || depth.covers(labelsBelow: $0 + below)
        }
    }

    /// Whether some host is covered by both.
    package func overlaps(_ other: HostPattern) -> Bool {
        if host == other.host {
            return [0, 1, 2].contains { depth.covers(labelsBelow: $0) && other.depth.covers(labelsBelow: $0) }
        }
        let (upper, lower) = host.text.utf8.count < other.host.text.utf8.count ? (self, other) : (other, self)
        guard lower.host.text.hasSuffix("." + upper.host.text), !lower.host.isIPLiteral else { return false }
        let below = lower.host.text.dropLast(upper.host.text.count + 1).split(separator: ".").count
        return [0, 1, 2].contains { lower.depth.covers(labelsBelow: $0) && upper.depth.covers(labelsBelow: $0 + below) }
    }
}
