/// Decides which policy is in force and whether a bundle may replace it. A value type that does not access files or
/// clocks.
///
/// The version can only increase: the highest version wins, and the embedded policy has a version too. After its
/// `notAfter`, a bundle stays in force and counts as stale. A fallback to an older policy would be a rollback that an
/// attacker could cause by blocking updates.
public struct BundleState: Sendable {
    /// The origin of the policy in force.
    public enum Origin: Hashable, Sendable {
        /// The policy was built into the app.
        case embedded
        /// The policy came from a bundle.
        case bundle(VerifiedBundle)
    }

    /// The result of offering a bundle.
    public enum Acceptance: Hashable, Sendable {
        /// The bundle is now in force and must be stored.
        case taken
        /// The bundle was already in force.
        case unchanged
        /// The bundle is valid and pending: it waits for its cohort, for the end of a halt, or for
        /// ``BundleState/advance(at:)``. `until` is the earliest time at which it can take effect, as far as it is
        /// known, or `nil` if no stage covers this installation.
        case deferred(until: Timestamp?)
    }

    /// The keys that may sign bundles.
    public let keys: [BundleKey]
    /// The application for which bundles must be made.
    public let application: String
    /// The protections that a bundle may remove.
    public let permissions: BundlePermissions
    /// The version in force.
    public private(set) var version: Int64
    /// The policy in force.
    public private(set) var policy: PinningPolicy
    /// The origin of the policy in force.
    public private(set) var origin: Origin
    private var digest: SHA256Hash?
    /// The embedded policy. Two bundles in sequence must not remove protection that a single bundle may not remove.
    private let floor: PinningPolicy
    /// The pending bundle, the newest halt and the newest timestamp.
    package private(set) var gate: RolloutGate

    /// Creates a state with the embedded policy. Without a stored bundle, its version is the minimum version.
    public init(
        embedded: PinningPolicy, version: Int64, keys: [BundleKey], application: String,
        permissions: BundlePermissions = [], rollout: RolloutSettings = RolloutSettings()
    ) {
        self.policy = embedded
        self.floor = embedded
        self.version = version
        self.keys = keys
        self.application = application
        self.permissions = permissions
        self.origin = .embedded
        self.gate = RolloutGate(settings: rollout, application: application)
    }

    /// Offers a fetched bundle.
    ///
    /// A bundle without a roll-out takes effect at once. A bundle with a roll-out becomes pending, and
    /// ``advance(at:)`` puts it in force when it is due.
    ///
    /// - Throws: ``BundleError`` if the bundle is refused. The state does not change.
    @discardableResult
    public mutating func offer(_ bytes: [UInt8], at time: Timestamp) throws(BundleError) -> Acceptance {
        let bundle = try SignedBundle(bytes).verify(keys: keys, application: application)
        if bundle.version == version, bundle.digest == digest { return .unchanged }
        guard time >= bundle.notBefore else {
            throw BundleError(.notYetValid, "Version \(bundle.version) is not valid before \(bundle.notBefore).")
        }
        guard time <= bundle.notAfter else {
            throw BundleError(.expired, "Version \(bundle.version) was valid until \(bundle.notAfter).")
        }
        guard bundle.rollout != nil else {
            try check(bundle, at: time)
            take(bundle)
            return .taken
        }
        try check(bundle, at: time)
        try gate.hold(bundle)
        gate.confirm(known: bundle.version)
        return .deferred(until: gate.decision(at: time).earliest(now: time))
    }

    /// Restores the stored copy. It is verified like any other bundle, except that its validity may have ended. It was
    /// in force before, so its cohorts do not matter.
    @discardableResult
    public mutating func restore(_ bytes: [UInt8], at time: Timestamp) throws(BundleError) -> Acceptance {
        let bundle = try SignedBundle(bytes).verify(keys: keys, application: application)
        if bundle.version == version, bundle.digest == digest { return .unchanged }
        try check(bundle, at: time, isRestored: true)
        take(bundle)
        return .taken
    }

    private func check(
        _ bundle: VerifiedBundle, at time: Timestamp, isRestored: Bool = false
    ) throws(BundleError) {
        guard bundle.version >= version else {
            throw BundleError(
                .rollback, "Version \(bundle.version) is older than version \(version), which is in force.")
        }
        guard bundle.version > version else {
            throw BundleError(.versionReused, "Version \(version) is already in force with other contents.")
        }
        // A restored bundle was compared with the policy before it, which is not stored.
        if bundle.rollout != nil, !isRestored {
            try PolicyWeakening.checkCohorts(from: policy, to: bundle.policy, version: bundle.version, at: time)
        }
        for former in [policy, floor] {
            if let loss = PolicyWeakening.found(from: former, to: bundle.policy, at: time, allowing: permissions) {
                throw BundleError(.weakensPolicy, "Version \(bundle.version) removes protection: \(loss).")
            }
        }
    }

    private mutating func take(_ bundle: VerifiedBundle) {
        policy = bundle.policy
        version = bundle.version
        digest = bundle.digest
        origin = .bundle(bundle)
        gate.settle(upTo: version)
        gate.confirm(known: knownVersion)
    }

    /// Returns whether the policy in force came from a bundle whose validity has ended.
    public func isStale(at time: Timestamp) -> Bool {
        if case .bundle(let bundle) = origin { bundle.isStale(at: time) } else { false }
    }
}

/// Staged roll-outs.
extension BundleState {
    /// The verified bundle that waits for its cohort or for the end of a halt.
    public var pending: VerifiedBundle? { gate.pending }

    /// The highest version that is in force or pending.
    package var knownVersion: Int64 { max(version, gate.pending?.version ?? version) }

    /// Returns whether the pending bundle may be put in force.
    public func rolloutDecision(at time: Timestamp) -> RolloutDecision { gate.decision(at: time) }

    /// Puts the pending bundle in force if it is due.
    ///
    /// Fetch the newest halt first. The bundle is compared again with the policy in force, because pins may have
    /// expired since it became pending. A pending bundle that is refused or expired is removed.
    ///
    /// - Returns: `taken`, `deferred`, or `unchanged` if no bundle is pending.
    /// - Throws: ``BundleError`` if the pending bundle is refused.
    @discardableResult
    public mutating func advance(at time: Timestamp) throws(BundleError) -> Acceptance {
        guard let bundle = gate.pending else { return .unchanged }
        guard time <= bundle.notAfter else {
            gate.drop()
            throw BundleError(.expired, "Version \(bundle.version) was valid until \(bundle.notAfter).")
        }
        let decision = gate.decision(at: time)
        guard decision == .due else { return .deferred(until: decision.earliest(now: time)) }
        do throws(BundleError) { try check(bundle, at: time) } catch {
            gate.drop()
            throw error
        }
        take(bundle)
        return .taken
    }

    /// Restores the stored pending bundle. It is verified and compared like a fetched one.
    mutating func restore(pending bytes: [UInt8], at time: Timestamp) throws(BundleError) {
        let bundle = try SignedBundle(bytes).verify(keys: keys, application: application)
        guard bundle.rollout != nil, time <= bundle.notAfter else { return }
        try check(bundle, at: time)
        try gate.hold(bundle)
    }

    /// Accepts a fetched halt. Returns false if it is already known.
    ///
    /// - Throws: ``BundleError`` with the code `haltExpired`, `haltReplayed`, `haltFromFuture`, or another code if it
    ///   is not valid.
    @discardableResult
    public mutating func offer(halt bytes: [UInt8], at time: Timestamp) throws(BundleError) -> Bool {
        try gate.offer(halt: bytes, at: time)
    }

    mutating func restore(halt bytes: [UInt8]) throws(BundleError) { try gate.restore(halt: bytes) }

    /// Accepts a fetched timestamp. Returns false if it is already known.
    ///
    /// - Throws: ``BundleError`` with the code `timestampFromFuture`, `timestampTooOld`, `timestampReplayed`,
    ///   `timestampMismatch`, or another code if it is not valid.
    @discardableResult
    public mutating func offer(timestamp bytes: [UInt8], at time: Timestamp) throws(BundleError) -> Bool {
        let digest = gate.pending?.digest ?? digest
        return try gate.offer(timestamp: bytes, known: knownVersion, digest: digest, at: time)
    }

    mutating func restore(timestamp bytes: [UInt8]) throws(BundleError) { try gate.restore(timestamp: bytes) }

    mutating func beginFreshness(_ stored: Timestamp?, at time: Timestamp) {
        gate.beginFreshness(stored, at: time)
        gate.confirm(known: knownVersion)
    }

    /// Returns whether no timestamp has confirmed for the configured time that this installation knows the newest
    /// bundle. Always false without a timestamp key.
    public func isFrozen(at time: Timestamp) -> Bool { gate.isFrozen(at: time) }
}

/// What a bundle may do in addition to changing pins. The default is nothing: otherwise an attacker with the signing
/// key could turn pinning off.
public struct BundlePermissions: OptionSet, Hashable, Sendable {
    /// The raw value.
    public let rawValue: UInt8
    /// Creates an option set from its raw value.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The bundle may exclude pinned hosts, remove denied keys, or allow unlisted hosts.
    public static let unpin = BundlePermissions(rawValue: 1)
    /// The bundle may turn an enforced rule into a report-only rule.
    public static let reportOnly = BundlePermissions(rawValue: 2)
    /// The bundle may add trust anchors, or disable pins for them.
    public static let anchors = BundlePermissions(rawValue: 4)
}
