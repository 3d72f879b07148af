import HoldfastTransport
import HoldfastTrust

/// The policies in force, and the transitions between them.
///
/// Clients with the same policy in force are in the same group. A `BundleState` decides once for each combination of a
/// group, a bundle, and the result of comparing the client's clock with the times of the bundle and of the halt. The
/// signature of a bundle is therefore verified a few times instead of once for each client.
struct PolicyGroups: Sendable {
    /// Clients with the same policy in force.
    struct Group: Sendable {
        var state: BundleState
        var policy: PolicyMachine
        /// The digest of the bundle in force; `nil` for the embedded policy.
        var digest: SHA256Hash?
        /// The end of the bundle's validity in seconds since the start.
        var notAfter: Int?
        /// Whether the policy accepts each key of the servers.
        var accepts: [Bool]
        /// The number of clients.
        var clients = 0
    }

    /// A published bundle.
    struct Bundle: Sendable {
        var bytes: [UInt8]
        var digest: SHA256Hash
        var tag: String
        var version: Int64
        /// The validity in seconds since the start.
        var validity: ClosedRange<Int>
        var rollout: BundleRollout?
    }

    /// The decision about a bundle.
    struct Transition: Hashable, Sendable {
        var decision: BundleFetchMachine.Decision
        /// The new group; the old one if the policy in force does not change.
        var group: Int
        /// Whether open connections must be evaluated again.
        var isNewPolicy = false
    }

    private struct Case: Hashable {
        var group: Int
        var bundle: Int
        var time: Int
        var isDue: Bool
        var halt: Int
    }

    static let application = "fleet"
    static let host = "api.fleet.example"
    private static let keyID = "fleet"

    private(set) var groups: [Group]
    private(set) var bundles: [Bundle] = []
    /// The published halt, and its times in seconds since the start.
    private(set) var halt: (bytes: [UInt8], validity: ClosedRange<Int>)?
    private let signer = BundleSigningKey(generating: .ed25519, id: PolicyGroups.keyID)
    private let haltSigner = BundleSigningKey(generating: .ed25519, id: "fleet-halt")
    private var known: [Case: Transition] = [:]

    /// Creates the group of the embedded policy, with version 1.
    init(clients: Int, smallestShare: Int) throws {
        let policy = try PinningPolicy(holdfastJSON: Self.policy([.usual, .backup]))
        var settings = RolloutSettings(
            participant: RolloutParticipant(cohort: Self.earlyCohort(share: smallestShare), platform: nil))
        settings.haltKeys = [try BundleHaltKey(id: haltSigner.id, publicKey: Array(haltSigner.publicKeyPEM.utf8))]
        let state = BundleState(
            embedded: policy, version: 1,
            keys: [try BundleKey(id: Self.keyID, publicKey: Array(signer.publicKeyPEM.utf8))],
            application: Self.application, rollout: settings)
        groups = [
            Group(
                state: state, policy: PolicyMachine(policy), digest: nil, notAfter: nil,
                accepts: Self.accepted(by: policy), clients: clients)
        ]
    }

    /// Returns an identity that the first stage covers for each of the first versions. The world decides which clients
    /// a stage covers; the state then makes the decision of a covered client.
    private static func earlyCohort(share: Int) -> InstallationCohort? {
        var number: UInt64 = 0
        while number < 1_000_000 {
            let bytes = (0..<16).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 8))) }
            if let cohort = InstallationCohort(bytes), cohort.position(for: application, version: 2) < share {
                return cohort
            }
            number += 1
        }
        return nil
    }

    /// A policy that pins these keys for the servers. The CDN and the collector have no pins.
    private static func policy(_ keys: [ServerKey]) -> [UInt8] {
        let pins = keys.map { "\"\($0.pin)\"" }.joined(separator: ", ")
        return Array(
            #"{"holdfast": 1, "name": "fleet", "domains": [{"host": "\#(host)", "pins": [\#(pins)]}]}"#.utf8)
    }

    /// Returns whether a policy accepts each key.
    private static func accepted(by policy: PinningPolicy) -> [Bool] {
        let pins = (try? CanonicalHost(host)).map { policy.rules(covering: $0).first?.pins.pins ?? [] } ?? []
        return ServerKey.allCases.map { key in pins.contains { $0.sha256 == key.pin.sha256 } }
    }

    // MARK: The operator

    /// Signs a bundle.
    mutating func publish(
        _ keys: [ServerKey], version: Int64, validity: ClosedRange<Int>, rollout: BundleRollout? = nil
    ) throws {
        let bytes = try SignedBundle.sign(
            policy: Self.policy(keys), application: Self.application, version: version,
            notBefore: Self.time(validity.lowerBound), notAfter: Self.time(validity.upperBound), with: signer,
            rollout: rollout
        ).bytes
        bundles.append(
            Bundle(
                bytes: bytes, digest: SHA256Hash(hashing: bytes), tag: "\"\(version)\"", version: version,
                validity: validity, rollout: rollout))
    }

    /// Signs a halt of a version.
    mutating func halt(_ version: Int64, validity: ClosedRange<Int>) throws {
        let statement = try BundleHalt.sign(
            application: Self.application, version: version, issued: Self.time(validity.lowerBound),
            notAfter: Self.time(validity.upperBound), with: haltSigner)
        halt = (statement.bytes, validity)
    }

    /// Moves a client to another group.
    mutating func move(from old: Int, to new: Int) {
        groups[old].clients -= 1
        groups[new].clients += 1
    }

    /// Returns the number of clients whose policy refuses a key.
    func lockedOut(_ key: ServerKey) -> Int {
        groups.reduce(0) { $0 + ($1.accepts[key.rawValue] ? 0 : $1.clients) }
    }

    // MARK: Decisions

    /// Returns the decision of a client in a group about a bundle. `now` is the time of the client's clock.
    mutating func transition(_ group: Int, _ bundle: Int, at now: Int, position: Int) -> Transition {
        let offered = bundles[bundle]
        let isDue = offered.rollout.map { hasBegun($0, at: now, position: position) } ?? true
        let haltClass = halt.map { Self.order(now + Int(RolloutSettings.clockTolerance), now, $0.validity) } ?? 3
        let key = Case(
            group: group, bundle: bundle, time: Self.order(now, now, offered.validity), isDue: isDue,
            halt: offered.rollout == nil ? 3 : haltClass)
        if let transition = known[key] { return transition }
        let transition = decide(group, offered, at: now, isDue: isDue)
        known[key] = transition
        return transition
    }

    private func hasBegun(_ rollout: BundleRollout, at now: Int, position: Int) -> Bool {
        rollout.begin(for: RolloutParticipant(platform: nil), position: position).map { $0 <= Self.time(now) } ?? false
    }

    /// Returns 0 before a range, 1 in it, and 2 after it.
    private static func order(_ start: Int, _ end: Int, _ range: ClosedRange<Int>) -> Int {
        start < range.lowerBound ? 0 : (end > range.upperBound ? 2 : 1)
    }

    private mutating func decide(_ group: Int, _ bundle: Bundle, at now: Int, isDue: Bool) -> Transition {
        var state = groups[group].state
        let time = Self.time(now)
        do throws(BundleError) {
            var acceptance = try state.offer(bundle.bytes, at: time)
            if case .deferred = acceptance, isDue {
                // An unusable halt is ignored, as by the fetcher.
                if let halt { _ = try? state.offer(halt: halt.bytes, at: time) }
                acceptance = try state.advance(at: time)
            }
            let decision = BundleFetchMachine.Decision.accepted(acceptance, storageProblem: nil)
            guard acceptance == .taken else { return Transition(decision: decision, group: group) }
            return taken(state, bundle, decision, from: group)
        } catch {
            return Transition(decision: .refused(error), group: group)
        }
    }

    private mutating func taken(
        _ state: BundleState, _ bundle: Bundle, _ decision: BundleFetchMachine.Decision, from group: Int
    ) -> Transition {
        var policy = groups[group].policy
        let isNew = policy.replace(with: state.policy, freshUntil: Self.time(bundle.validity.upperBound))
        // Clients that took the same bundle from different policies continue in the same group.
        let place = groups.firstIndex { $0.digest == bundle.digest }
        if place == nil {
            groups.append(
                Group(
                    state: state, policy: policy, digest: bundle.digest, notAfter: bundle.validity.upperBound,
                    accepts: Self.accepted(by: state.policy)))
        }
        return Transition(decision: decision, group: place ?? groups.count - 1, isNewPolicy: isNew)
    }

    /// Returns the point in time a number of seconds after the start.
    static func time(_ second: Int) -> Timestamp { Timestamp(secondsSince1970: FleetSetup.epoch + Int64(second)) }
}
