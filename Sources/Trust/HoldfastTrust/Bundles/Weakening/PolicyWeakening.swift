/// Finds the protections that a new policy removes compared to an old one.
///
/// Compares effective outcomes, not rules. For every region of hosts that the patterns of both policies define, the new
/// outcome must be at least as strict as the old one, at `now` and at every later time at which a rule expires.
/// `docs/bundles.md` defines "at least as strict".
///
/// The work is linear in the size of the policies: at most three regions for each host of a pattern, and at most 19
/// times for each region, regardless of the number of rules that cover it.
package enum PolicyWeakening {
    /// Returns the first loss without permission as a clause of a sentence, or `nil` if there is none.
    package static func found(
        from old: PinningPolicy, to new: PinningPolicy, at now: Timestamp, allowing permissions: BundlePermissions
    ) -> String? {
        var first: PolicyLoss?
        forEachLoss(from: old, to: new, at: now) { loss in
            guard !permissions.contains(loss.permission) else { return true }
            first = loss
            return false
        }
        return first?.description
    }

    /// Checks that a bundle with a roll-out removes no protection.
    ///
    /// The permissions of the app do not count here. Protection that is removed for a small cohort is noticed by few
    /// people, so it may only be removed for all installations at once.
    ///
    /// - Throws: ``BundleError`` with the code `cohortWeakensPolicy`.
    static func checkCohorts(
        from old: PinningPolicy, to new: PinningPolicy, version: Int64, at now: Timestamp
    ) throws(BundleError) {
        guard let loss = found(from: old, to: new, at: now, allowing: []) else { return }
        throw BundleError(
            .cohortWeakensPolicy,
            "Version \(version) has a roll-out, but removes protection: \(loss). "
                + "Remove protection only with a bundle without a roll-out.")
    }

    /// Returns all permissions that the change requires. Empty if the new policy is at least as strict as the old one
    /// for every host at every time from `now` on.
    package static func neededPermissions(
        from old: PinningPolicy, to new: PinningPolicy, at now: Timestamp
    ) -> BundlePermissions {
        var needed: BundlePermissions = []
        forEachLoss(from: old, to: new, at: now) { loss in
            needed.insert(loss.permission)
            return needed != .all
        }
        return needed
    }

    /// Calls `body` with each loss until it returns false.
    private static func forEachLoss(
        from old: PinningPolicy, to new: PinningPolicy, at now: Timestamp, _ body: (PolicyLoss) -> Bool
    ) {
        for kind in lossesOfPolicy(from: old, to: new) {
            guard body(PolicyLoss(kind: kind, region: nil, time: now, isImmediate: true)) else { return }
        }
        let bypassesPins = new.anchors.map { $0.pinning != .enforced && !$0.certificates.isEmpty } ?? false
        HostRegions(old: old, new: new).forEach { element in
            for kind in transparency(of: element) {
                let loss = PolicyLoss(kind: kind, region: element.region, time: now, isImmediate: true)
                guard body(loss) else { return false }
            }
            let ends = Set(element.old.ends + element.new.ends).filter { $0 > now }.sorted()
            for time in [now] + ends {
                let losses = element.new.outcome(at: time).losses(
                    since: element.old.outcome(at: time), bypassesPins: bypassesPins)
                for kind in losses {
                    let loss = PolicyLoss(kind: kind, region: element.region, time: time, isImmediate: time == now)
                    guard body(loss) else { return false }
                }
            }
            return true
        }
    }

    /// Returns the lost requirements of certificate timestamps in a region. They do not depend on time.
    ///
    /// Each old requirement must be covered by one new requirement that is at least as strict. A region whose hosts the
    /// new policy refuses because it has no rule for them loses nothing.
    private static func transparency(of element: HostRegions.Element) -> [PolicyLoss.Kind] {
        guard element.new != .constant(.refused(.withoutRule)) else { return [] }
        let new = element.newTransparency
        var losses: [PolicyLoss.Kind] = []
        for old in element.oldTransparency where !new.contains(where: { $0.isAtLeastAsStrict(as: old) }) {
            var reported = old
            reported.enforcement = .reportOnly
            let isReported = new.contains { $0.isAtLeastAsStrict(as: reported) }
            losses.append(isReported ? .onlyReportsTransparency : .dropsTransparency)
        }
        return losses
    }

    // MARK: - Policies as a whole

    private static func lossesOfPolicy(from old: PinningPolicy, to new: PinningPolicy) -> [PolicyLoss.Kind] {
        var losses: [PolicyLoss.Kind] = []
        if let pin = old.denied.sorted.first(where: { !new.denied.denies($0) }) { losses.append(.allowsDeniedKey(pin)) }
        if new.asksForNothing { losses.append(.asksForNothing) }
        return losses + anchors(from: old.anchors, to: new.anchors)
    }

    private static func anchors(from old: LocalAnchors?, to new: LocalAnchors?) -> [PolicyLoss.Kind] {
        var losses: [PolicyLoss.Kind] = []
        if old?.replaceOthers == true, new?.replaceOthers != true { losses.append(.trustsOtherAnchors) }
        guard let new else { return losses }
        let known = Set(old?.certificates ?? [])
        if let added = new.certificates.first(where: { !known.contains($0) }) {
            losses.append(.addsAnchor(subject: added.subject))
        }
        let bypassed = old.map { $0.pinning == .enforced ? [] : known } ?? []
        if new.pinning != .enforced, let added = new.certificates.first(where: { !bypassed.contains($0) }) {
            losses.append(.bypassesPinsForAnchor(subject: added.subject))
        }
        let silent = old.map { $0.pinning == .dangerouslyBypassed ? known : [] } ?? []
        if new.pinning == .dangerouslyBypassed, let added = new.certificates.first(where: { !silent.contains($0) }) {
            losses.append(.silencesBypass(subject: added.subject))
        }
        return losses
    }
}

extension BundlePermissions {
    /// All permissions.
    fileprivate static let all: BundlePermissions = [.unpin, .reportOnly, .anchors]
}

extension PinSet {
    /// Returns whether these denied pins deny at least what `pin` denies. A pin with the scope `any` denies leaves and
    /// CAs.
    fileprivate func denies(_ pin: Pin) -> Bool {
        func contains(_ scope: Pin.Scope) -> Bool {
            pins.contains(Pin(pin.sha256, domain: pin.domain, scope: scope))
        }
        return contains(.any) || (pin.scope == .any ? contains(.leaf) && contains(.ca) : contains(pin.scope))
    }
}
