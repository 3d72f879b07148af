import HoldfastTrust
import HoldfastTransport

/// The parameters of a run. All times are in seconds, and points in time count from the start.
package struct FleetSetup: Sendable {
    /// The valid numbers of clients.
    package static let clientRange = 1_000...50_000_000

    package var scenario: FleetScenario
    package var clients: Int
    package var seed: UInt64
    package var fault: FleetFault?

    /// Creates the setup of a scenario.
    package init(_ scenario: FleetScenario, clients: Int, seed: UInt64, fault: FleetFault? = nil) {
        self.scenario = scenario
        self.clients = min(max(clients, Self.clientRange.lowerBound), Self.clientRange.upperBound)
        self.seed = seed
        self.fault = fault
    }

    // MARK: Time

    /// The length of a run: 16 hours.
    package let horizon = 57_600
    /// The time at which the incident begins.
    package let incident = 7_200
    /// The Unix time of the start: 2027-01-15T08:00:00Z.
    static let epoch: Int64 = 1_800_000_000

    // MARK: Clients

    /// The mean time between two uses of an app. Each use opens a connection.
    let useInterval = 3_600
    /// The waits of an app after a failed connection. They belong to the app's model and not to the library.
    let useBackoff: (base: Int64, ceiling: Int64) = (300, 3_600)
    /// The time during which apps start again.
    var startSpread: Int { fault == .noSpread ? 1 : 300 }
    /// The time during which the first requests for bundles are spread after a start.
    var launchSpread: Int64 { fault == .noSpread ? 0 : 600 }
    /// The longest deviation of a clock.
    let clockError = 5 * 86_400
    var hasWrongClocks: Bool { scenario == .clocks }

    /// The defaults of `PinBundleFetcher`.
    func schedule(failures: Int) -> BundleSchedule {
        BundleSchedule(interval: .seconds(21_600), jitterPercent: 20, backoff: fetchBackoff, failures: failures)
    }

    let fetchBackoff = Backoff(base: 60, ceiling: 3_600, retryAfterCeiling: 86_400)
    /// The longest time between two requests for bundles, with the interval's deviation.
    var longestFetchWait: Int { 21_600 * 6 / 5 }

    /// The defaults of `PinFailureReporter`.
    let reportBackoff = Backoff(base: 30, ceiling: 21_600, retryAfterCeiling: 86_400)
    let spoolLimits = ReportSpoolLimits()
    var ledgerLimits: ReportLedger.Limits {
        var limits = ReportLedger.Limits()
        if fault == .repeatedReports { limits.window = 1 }
        return limits
    }

    /// The most reports that may wait in a client: in a day, the ledger permits one for each combination of a policy
    /// and a key of the servers.
    let mostWaitingReports = 6
    /// The size of a report's file.
    let reportSize = 4_000

    // MARK: Servers

    /// The reports that the collector accepts in a second: all clients within ten minutes, as in docs/fleet.md.
    var collectorCapacity: Int { max(1, clients / 600) }
    /// The time during which the collector does not respond.
    var collectorOutage: Range<Int>? {
        guard scenario == .collectorDown else { return nil }
        return incident..<(fault == .repeatedReports ? horizon : incident + 3_600)
    }

    /// The time during which the CDN does not respond.
    var cdnOutage: Range<Int>? { scenario == .cdnOutage ? incident..<incident + 4 * 3_600 : nil }

    // MARK: The operator

    /// The number of failed clients from which the desk shows an incident.
    let noticeableClients = 20
    /// The time after which people complain about an incident that the desk does not show.
    let complaintTime = 7_200
    /// The time from the first display of an incident to the published fix.
    let reactionTime = 900
    /// The time between two decisions about a roll-out.
    let monitorInterval = 60
    /// The shares of the stages, in parts of 10,000, and their delays. The last stage is for everybody.
    let stages: [(share: Int, delay: Int)] = [(100, 0), (1_000, 21_600), (10_000, 43_200)]

    /// The key of the servers after the incident.
    var keyAfterIncident: ServerKey {
        switch scenario {
        case .misrotationBackup: .backup
        case .misrotation, .collectorDown, .cdnOutage, .clocks: .unknown
        case .badBundle, .badBundleCohorts, .restart: .usual
        }
    }

    /// Whether a bundle with wrong pins is published.
    var hasBadBundle: Bool { scenario == .badBundle || scenario == .badBundleCohorts }
}

/// A key that the servers can present.
enum ServerKey: Int, Hashable, Sendable, CaseIterable {
    case usual
    case backup
    case unknown
    /// The key that a bundle with wrong pins contains, and that no server has.
    case wrong
    /// The second key of that bundle.
    case otherWrong

    /// The pin of the key.
    var pin: SPKIDigest { SPKIDigest(hashing: Array("key \(rawValue) of the simulated servers".utf8)) }
}
