package import HoldfastTrust
package import PinReports

/// The decision of the monitor for each stage of a roll-out. Equal counts always give the same decisions, on every
/// collector and after a restart.
///
/// The monitor's test adds up over windows in which the sizes do not change. All failures of a stage therefore count as
/// one window.
package struct RolloutAssessment: Hashable, Sendable {
    /// One stage.
    package struct Stage: Hashable, Sendable {
        package var plan: RolloutPlan.Stage
        package var hasBegun: Bool
        /// The installations of the cohort, and those that failed.
        package var cohort: RolloutMonitor.Group
        /// The other installations, and those that failed.
        package var baseline: RolloutMonitor.Group
        package var decision: RolloutMonitor.Decision
        /// See ``RolloutMonitor/odds``.
        package var odds: Double
    }

    /// The stages in the order of the plan.
    package let stages: [Stage]

    /// Compares the counts of each stage.
    package init(
        _ plan: RolloutPlan, _ counts: [RolloutCount], at now: Timestamp,
        settings: RolloutMonitor.Settings = RolloutMonitor.Settings()
    ) {
        stages = plan.stages.map { stage in
            func count(_ isCohort: Bool) -> RolloutCount? {
                counts.first { $0.stage == stage.begins && $0.isCohort == isCohort }
            }
            let cohort = RolloutMonitor.Group(clients: stage.cohort, failures: Self.atLeast(count(true)))
            let baseline = RolloutMonitor.Group(
                clients: plan.fleet - stage.cohort, failures: Self.atMost(count(false)))
            var monitor = RolloutMonitor(settings)
            let decision = monitor.observe(cohort: cohort, baseline: baseline)
            return Stage(
                plan: stage, hasBegun: stage.begins <= now, cohort: cohort, baseline: baseline, decision: decision,
                odds: monitor.odds)
        }
    }

    /// Estimates have a standard error of 1.6 %. Three of them count against a halt, so that they cause no false alarm.
    private static let margin = 20

    private static func atLeast(_ count: RolloutCount?) -> Int {
        guard let count else { return 0 }
        let clients = clients(count)
        return count.isExact ? clients : clients - clients / margin
    }

    private static func atMost(_ count: RolloutCount?) -> Int {
        guard let count else { return 0 }
        let clients = clients(count)
        return count.isExact ? clients : clients + clients / margin + 1
    }

    private static func clients(_ count: RolloutCount) -> Int { min(max(count.clients, 0), RolloutPlan.largestFleet) }

    /// Returns the decision to stop, from the first stage that must; `nil` if the roll-out goes on.
    package func stop(at now: Timestamp) -> RolloutStop? {
        for stage in stages where stage.hasBegun {
            guard case .halt(let reason) = stage.decision else { continue }
            return RolloutStop(
                stage: stage.plan.begins, decidedAt: now, cohortFailures: reason.cohortFailures,
                cohortClients: reason.cohortClients, baselineFailures: reason.baselineFailures,
                baselineClients: reason.baselineClients)
        }
        return nil
    }
}
