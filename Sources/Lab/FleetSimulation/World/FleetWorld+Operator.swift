import HoldfastTrust

/// What the desk knows from the accepted reports.
struct DeskModel: Sendable {
    /// The most groups of clients in a run.
    static let mostGroups = 8

    /// The number of clients that reported a failure of each group, in total and in the current window.
    private(set) var failed = Array(repeating: 0, count: mostGroups)
    private var window = Array(repeating: 0, count: mostGroups)
    /// The decision about the roll-out.
    private var monitor = RolloutMonitor()
    /// The bundle with wrong pins, by its index.
    var badBundle: Int?
    /// The time at which the operator publishes the fix.
    var fixDue: Int?

    /// Counts an accepted report. A client counts once for each group.
    mutating func count(_ group: Int, _ client: inout FleetClient) {
        guard client.counted & 1 << UInt8(group) == 0 else { return }
        client.counted |= 1 << UInt8(group)
        failed[group] += 1
        window[group] += 1
    }

    /// The number of clients that failed in any group.
    var total: Int { failed.reduce(0, +) }

    /// Decides about the roll-out of a group, and begins the next window.
    mutating func shouldHalt(_ group: Int?, clients: [Int]) -> Bool {
        let cohort = group.map { (clients[$0], window[$0]) } ?? (0, 0)
        let decision = monitor.observe(
            cohort: RolloutMonitor.Group(clients: cohort.0, failures: cohort.1),
            baseline: RolloutMonitor.Group(
                clients: clients.reduce(0, +) - cohort.0, failures: window.reduce(0, +) - cohort.1))
        window = Array(repeating: 0, count: Self.mostGroups)
        if case .halt = decision { return true }
        return false
    }
}

/// The incident, the operator and the desk.
extension FleetWorld {
    /// The validity of bundles before and after their publication. An early begin makes a bundle valid on devices with
    /// slow clocks.
    private static let validityBefore = 7 * 86_400
    private static let validityAfter = 30 * 86_400
    /// The length of a halt.
    private static let haltLength = 2 * 86_400

    /// Performs the actions of the incident and of the operator in this second.
    mutating func operate() throws {
        if now % 60 == 0 {
            let clients = policies.lockedOut(key)
            record.sample(lockedOut: clients)
            if clients > figures.mostLockedOut { (figures.mostLockedOut, figures.mostLockedOutAt) = (clients, now) }
        }
        if now == setup.incident { try begin() }
        if now % setup.monitorInterval == 0 { try watch() }
        if now == desk.fixDue { try fix() }
    }

    private mutating func begin() throws {
        key = setup.keyAfterIncident
        if setup.scenario == .restart { endAllApps() }
        guard setup.hasBadBundle else { return }
        let stages = setup.stages.map { stage in
            BundleRollout.Stage(share: stage.share, begins: PolicyGroups.time(now + stage.delay))
        }
        try policies.publish(
            [.wrong, .otherWrong], version: 2, validity: now - Self.validityBefore...now + Self.validityAfter,
            rollout: setup.scenario == .badBundleCohorts ? BundleRollout(stages: stages) : nil)
        desk.badBundle = policies.bundles.count - 1
    }

    private mutating func watch() throws {
        let isReported = desk.total >= setup.noticeableClients
        let isComplaint = now >= setup.incident + setup.complaintTime && policies.lockedOut(key) > 0
        if isReported || isComplaint { notice() }
        guard setup.scenario == .badBundleCohorts, let bad = desk.badBundle, figures.haltedAt == nil else { return }
        let digest = policies.bundles[bad].digest
        let group = policies.groups.firstIndex { $0.digest == digest }
        if desk.shouldHalt(group, clients: policies.groups.map(\.clients)) {
            try policies.halt(policies.bundles[bad].version, validity: now...now + Self.haltLength)
            figures.haltedAt = now
            // The roll-out is an incident, even if few clients have reported it.
            notice()
        }
    }

    /// Begins the work on a fix.
    private mutating func notice() {
        guard figures.noticedAt == nil else { return }
        figures.noticedAt = now
        desk.fixDue = now + setup.reactionTime
    }

    private mutating func fix() throws {
        let others = [ServerKey.usual, .backup].filter { $0 != key }
        let before = setup.fault == .fixStartsNow ? 0 : Self.validityBefore
        try policies.publish([key] + others, version: 3, validity: now - before...now + Self.validityAfter)
        figures.fixedAt = now
    }
}
