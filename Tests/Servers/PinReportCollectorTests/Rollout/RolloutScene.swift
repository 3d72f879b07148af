import HoldfastTestSupport
import HoldfastTrust
import PinReports
import Synchronization

@testable import PinReportCollector

/// An operator who rolls version 4 of a bundle out to a fleet in stages, with keys made for the run.
struct RolloutScene: Sendable {
    static let application = "com.example.shop"
    static let version: Int64 = 4
    static let fleet = 1_000_000
    static let start = Sample.time
    static let day: Int64 = 86_400
    static let id = RolloutID(application: application, version: version)

    let signer = BundleSigningKey(generating: .ed25519, id: "2031-a")
    let halting = BundleSigningKey(generating: .ed25519, id: "halt-a")

    /// Stages of 1 %, 10 % and 100 %, which begin at the start, a day later and three days later.
    static let stages = [(100, 0), (1_000, day), (10_000, 3 * day)].map {
        BundleRollout.Stage(share: $0.0, begins: start.advanced(bySeconds: $0.1))
    }

    /// Returns a policy with the keys of a number.
    static func policy(_ number: UInt8) -> [UInt8] {
        let pins = [number, number &+ 1].map { #""\#(SPKIDigest(hashing: [$0]))""# }.joined(separator: ", ")
        return Array(
            #"""
            {"holdfast": 1, "name": "shop", "domains": [
            {"host": "example.com", "includesSubdomains": true, "pins": [\#(pins)]}]}
            """#.utf8)
    }

    func bundle(_ stages: [BundleRollout.Stage] = stages, by key: BundleSigningKey? = nil) throws -> [UInt8] {
        try SignedBundle.sign(
            policy: Self.policy(7), application: Self.application, version: Self.version,
            notBefore: Self.start.advanced(bySeconds: -Self.day),
            notAfter: Self.start.advanced(bySeconds: 60 * Self.day), with: key ?? signer,
            rollout: stages.isEmpty ? nil : BundleRollout(stages: stages)
        ).bytes
    }

    func rollout() throws -> ReportRollout {
        try ReportRollout(name: "shop.bundle", contents: bundle(), fleet: Self.fleet)
    }

    func halt(
        _ version: Int64 = version, issued: Int64 = 0, lasts: Int64 = 7 * day, by key: BundleSigningKey? = nil
    ) throws -> BundleHalt {
        let time = Self.start.advanced(bySeconds: issued)
        return try BundleHalt.sign(
            application: Self.application, version: version, issued: time, notAfter: time.advanced(bySeconds: lasts),
            with: key ?? halting)
    }

    /// Returns the configuration of a collector that watches the roll-out.
    ///
    /// - Parameter path: The halt file; `nil` without a halt key.
    func configuration(halt path: String?, clock: TrustClock) throws -> ReportCollectorConfiguration {
        var configuration = ReportCollectorConfiguration()
        configuration.clock = clock
        configuration.desk.rollouts = [try rollout()]
        configuration.desk.haltOutput = try path.map { try ReportHaltOutput(key: halting, path: $0) }
        return configuration
    }

    /// Exact counts of failed installations in the first stage.
    static func counts(cohort: Int, baseline: Int) -> [RolloutCount] {
        [
            RolloutCount(stage: start, isCohort: true, clients: cohort, isExact: true),
            RolloutCount(stage: start, isCohort: false, clients: baseline, isExact: true),
        ]
    }
}

/// Events in the order of their arrival.
final class EventList: Sendable {
    private let list = Mutex<[ReportCollectorEvent]>([])

    var all: [ReportCollectorEvent] { list.withLock { $0 } }
    func add(_ event: ReportCollectorEvent) { list.withLock { $0.append(event) } }

    /// The number of events of a kind.
    func count(_ isCounted: (ReportCollectorEvent) -> Bool) -> Int { all.count(where: isCounted) }
    var published: Int { count { if case .haltPublished = $0 { true } else { false } } }
    var failed: Int { count { if case .haltFailed = $0 { true } else { false } } }
    var stopped: Int { count { if case .rolloutStopped = $0 { true } else { false } } }
}
