/// What goes wrong in a simulated fleet. docs/fleet.md describes each scenario.
package enum FleetScenario: String, Hashable, Sendable, CaseIterable {
    /// The servers change to the backup key, which the policy pins.
    case misrotationBackup = "misrotation-backup"
    /// The servers change to a key that the policy does not pin.
    case misrotation
    /// A bundle with wrong pins is published for all installations at once.
    case badBundle = "bad-bundle"
    /// A bundle with wrong pins is published in stages, and the desk halts it.
    case badBundleCohorts = "bad-bundle-cohorts"
    /// The servers change to an unknown key while the collector is down for an hour.
    case collectorDown = "collector-down"
    /// The servers change to an unknown key, and the CDN is down for four hours.
    case cdnOutage = "cdn-outage"
    /// All apps end in the same second, and start again within five minutes.
    case restart
    /// The servers change to an unknown key, and the clocks of a tenth of the devices are wrong by up to five days.
    case clocks
}

/// A mistake that is made on purpose, to show that an invariant can fail.
package enum FleetFault: String, Hashable, Sendable, CaseIterable {
    /// Clients stop fetching bundles after they accepted one.
    case stopsFetching
    /// The operator signs a fix that is valid only from the time of its signature.
    case fixStartsNow
    /// Clients start in the same second and fetch at once.
    case noSpread
    /// Reports are repeated without a window, and the collector never returns.
    case repeatedReports

    /// The scenario in which the fault shows.
    package var scenario: FleetScenario {
        switch self {
        case .stopsFetching: .badBundle
        case .fixStartsNow: .clocks
        case .noSpread: .restart
        case .repeatedReports: .collectorDown
        }
    }

    /// The invariant that the fault breaks.
    package var invariant: FleetInvariant {
        switch self {
        case .stopsFetching, .fixStartsNow: .wayBack
        case .noSpread: .noHerd
        case .repeatedReports: .boundedQueues
        }
    }
}

/// What must hold at any time of a run.
package enum FleetInvariant: String, Hashable, Sendable, CaseIterable {
    /// Each locked-out client will fetch a bundle soon, and will accept the fix.
    case wayBack
    /// No short window has more than 1.5 times the requests of an even distribution.
    case noHerd
    /// No client has more waiting reports than its ledger permits.
    case boundedQueues
}

/// A broken invariant.
package struct FleetComplaint: Hashable, Sendable {
    package var invariant: FleetInvariant
    /// The time in seconds since the start.
    package var second: Int
    /// What was expected and what happened.
    package var text: String
}
