import Synchronization

/// The policy of an app that accepts signed bundles. Keeps the state, the copy on disk and the policy in force
/// consistent.
///
/// At launch, ``restore(at:)`` loads the stored bundle; then each fetched bundle is offered. If an operation fails, the
/// policy in force stays in force. Before the first bundle, that is the embedded policy.
///
/// Methods that access the disk block the calling thread. Properties and ``isStale(at:)`` never wait for the disk. All
/// members can be used from any thread.
public final class BundleHolder: Sendable {
    /// The result of offering a bundle.
    public struct Outcome: Hashable, Sendable {
        /// Whether the bundle is now in force, or already was.
        public var acceptance: BundleState.Acceptance
        /// The reason why an accepted bundle could not be stored.
        ///
        /// The bundle is in force nevertheless, but must be fetched again after a restart. Keeping older pins because a
        /// disk is full would be worse.
        public var storageProblem: BundleError?
    }

    /// The result of restoring the copy on disk.
    public enum Restoration: Hashable, Sendable {
        /// The stored bundle is now in force.
        case restored
        /// No bundle was stored. The embedded policy is in force, and its version is the minimum version.
        case nothingKept
        /// The stored bundle is not newer than the policy in force, as after an update of the app.
        case superseded
    }

    private struct State {
        var bundles: BundleState
        /// Whether the bundle in force is not yet written to disk.
        var isOwed = false
    }

    private struct Disk {
        /// Whether the copy on disk was read. Until then it may be newer than an offered bundle.
        var isKnown = false
        /// The time of the last call that had a time parameter.
        var time: Timestamp?
    }

    /// The source of policies for evaluations: see ``TrustContext/policies(_:anchors:logs:certificatePolicies:)``.
    public let policies: PolicyHolder
    private let file: BundleFile?
    /// Held during disk access and by every method that changes `state`, from the decision to the write. Two offers
    /// therefore cannot be stored in the wrong order.
    private let disk = Mutex(Disk())
    /// Held only briefly, and never during disk access.
    private let state: Mutex<State>

    /// Creates a holder with the embedded policy of `state`. Without a file, bundles do not survive a restart. Does not
    /// read the file.
    public init(_ state: BundleState, file: BundleFile?) {
        self.policies = PolicyHolder(state.policy)
        self.file = file
        self.state = Mutex(State(bundles: state))
    }

    /// The version in force.
    public var version: Int64 { state.withLock { $0.bundles.version } }

    /// The origin of the policy in force.
    public var origin: BundleState.Origin { state.withLock { $0.bundles.origin } }

    /// Returns whether the policy in force came from a bundle whose validity has ended. The policy stays in force.
    public func isStale(at time: Timestamp) -> Bool { state.withLock { $0.bundles.isStale(at: time) } }

    /// Verifies the copy on disk like any other bundle and puts it in force.
    ///
    /// - Throws: ``BundleError`` if the copy exists but cannot be read or is not valid. The policy in force does not
    ///   change.
    @discardableResult
    public func restore(at time: Timestamp) throws(BundleError) -> Restoration {
        try disk.withLock { disk throws(BundleError) in try restore(at: time, &disk) }
    }

    private func restore(at time: Timestamp, _ disk: inout Disk) throws(BundleError) -> Restoration {
        disk.time = time
        // The pending bundle is compared with the bundle in force, so it is loaded last.
        defer { restoreRollout(at: time) }
        let copy = try file?.load()
        disk.isKnown = true
        guard let bytes = copy else { return .nothingKept }
        do throws(BundleError) {
            try change(owes: false) { bundles throws(BundleError) in try bundles.restore(bytes, at: time) }
        } catch  where error.code == .rollback || error.code == .versionReused {
            return .superseded
        }
        return .restored
    }

    /// Offers a fetched bundle.
    ///
    /// If the copy on disk was not read yet, because ``restore(at:)`` was not called or failed, it is restored first,
    /// and bundles older than the copy are refused. If the copy still cannot be read, the offer is compared with the
    /// policy in force. A newer copy that is found when the bundle is stored is then put in force, and the error is
    /// `rollback`.
    ///
    /// If an earlier bundle could not be stored and is offered again, storing it is tried again.
    ///
    /// - Throws: ``BundleError`` if the bundle is refused. The policy in force does not change, except as described
    ///   above.
    @discardableResult
    public func offer(_ bytes: [UInt8], at time: Timestamp) throws(BundleError) -> Outcome {
        try disk.withLock { disk throws(BundleError) in
            disk.time = time
            // An error of the copy is reported by `restore`.
            if !disk.isKnown { _ = try? restore(at: time, &disk) }
            let acceptance = try change(owes: true) { bundles throws(BundleError) in
                try bundles.offer(bytes, at: time)
            }
            if case .deferred = acceptance {
                return Outcome(acceptance: acceptance, storageProblem: savePending())
            }
            let offered = version
            let problem = keep(disk)
            if version > offered {
                throw BundleError(
                    .rollback, "Version \(offered) is older than version \(version), which is on the disk.")
            }
            return Outcome(acceptance: acceptance, storageProblem: problem)
        }
    }

    /// Whether the bundle in force is not on disk because writing it failed.
    public var isStorageOwed: Bool { state.withLock { $0.isOwed } }

    /// Tries again to write the bundle in force to disk if that failed before. If the disk contains a newer bundle,
    /// that bundle is put in force.
    ///
    /// - Throws: ``BundleError`` with the code `storage` if writing fails again.
    public func keep() throws(BundleError) {
        if let problem = disk.withLock({ keep($0) }) { throw problem }
    }

    private func keep(_ disk: Disk) -> BundleError? {
        let (isOwed, bundles) = state.withLock { ($0.isOwed, $0.bundles) }
        guard isOwed, case .bundle(let bundle) = bundles.origin else { return nil }
        do throws(BundleError) {
            let newer = try file?.save(bundle, keys: bundles.keys)
            state.withLock { $0.isOwed = false }
            if let newer, let time = disk.time {
                try change(owes: false) { bundles throws(BundleError) in try bundles.restore(newer.bytes, at: time) }
            }
            return nil
        } catch {
            return error
        }
    }

    /// Makes the decision outside the lock that readers take, and puts the result in force. Called with the disk lock
    /// held.
    @discardableResult
    private func change(
        owes: Bool, _ decide: (inout BundleState) throws(BundleError) -> BundleState.Acceptance
    ) throws(BundleError) -> BundleState.Acceptance {
        var bundles = state.withLock { $0.bundles }
        let acceptance: BundleState.Acceptance
        do throws(BundleError) { acceptance = try decide(&bundles) } catch {
            // The policy in force is the same, but a pending bundle or a halt may have changed.
            publish(bundles)
            throw error
        }
        guard acceptance == .taken, case .bundle(let bundle) = bundles.origin else {
            publish(bundles)
            return acceptance
        }
        state.withLock { state in
            state.bundles = bundles
            if owes { state.isOwed = true }
            policies.replace(with: bundle.policy, freshUntil: bundle.notAfter)
            policies.setFrozenAfter(bundles.gate.frozenAfter)
        }
        return acceptance
    }

    /// Replaces the state without a change of the policy in force.
    private func publish(_ bundles: BundleState) {
        state.withLock { state in
            state.bundles = bundles
            policies.setFrozenAfter(bundles.gate.frozenAfter)
        }
    }

    // MARK: - Staged roll-outs

    /// The version that is pending, or `nil`.
    public var pendingVersion: Int64? { pending?.version }

    /// Returns whether the pending bundle may be put in force. ``advance(at:)`` does so.
    public func rolloutDecision(at time: Timestamp) -> RolloutDecision {
        state.withLock { $0.bundles }.rolloutDecision(at: time)
    }

    /// Returns whether no timestamp has confirmed for the configured time that this installation knows the newest
    /// bundle. The policy stays in force.
    public func isFrozen(at time: Timestamp) -> Bool { state.withLock { $0.bundles.isFrozen(at: time) } }

    /// The pending bundle.
    package var pending: VerifiedBundle? { gate.pending }

    /// The pending bundle, the newest halt and the newest timestamp.
    package var gate: RolloutGate { state.withLock { $0.bundles.gate } }

    /// The highest version that is in force or pending.
    package var knownVersion: Int64 { state.withLock { $0.bundles.knownVersion } }

    /// Puts the pending bundle in force if it is due, and stores it. Fetch the newest halt first. Blocks.
    ///
    /// - Returns: `taken`, `deferred`, or `unchanged` if no bundle is pending.
    /// - Throws: ``BundleError`` if the pending bundle is refused. The policy in force does not change.
    @discardableResult
    public func advance(at time: Timestamp) throws(BundleError) -> Outcome {
        try disk.withLock { disk throws(BundleError) in
            if !disk.isKnown { _ = try? restore(at: time, &disk) }
            disk.time = time
            let hadPending = pending != nil
            // A pending bundle that was refused or taken must not be pending after a restart.
            defer { if hadPending, pending == nil { _ = savePending() } }
            let acceptance = try change(owes: true) { bundles throws(BundleError) in try bundles.advance(at: time) }
            return Outcome(acceptance: acceptance, storageProblem: acceptance == .taken ? keep(disk) : nil)
        }
    }

    /// Offers a fetched halt, and stores it. Blocks.
    ///
    /// - Returns: The reason why an accepted halt could not be stored. It counts nevertheless.
    /// - Throws: ``BundleError`` if the halt is refused.
    @discardableResult
    public func offer(halt bytes: [UInt8], at time: Timestamp) throws(BundleError) -> BundleError? {
        try disk.withLock { disk throws(BundleError) in
            if !disk.isKnown { _ = try? restore(at: time, &disk) }
            let known = gate.halt?.serial
            let isNew: Bool
            do throws(BundleError) {
                isNew = try changeGate { bundles throws(BundleError) in try bundles.offer(halt: bytes, at: time) }
            } catch {
                // A newer halt that has ended is refused, but no older one may be replayed after a restart.
                if let halt = gate.halt, halt.serial != known {
                    try? file?.rollout.save(halt, keys: gate.settings.haltKeys)
                }
                throw error
            }
            guard isNew, let halt = gate.halt else { return nil }
            do throws(BundleError) { try file?.rollout.save(halt, keys: gate.settings.haltKeys) } catch { return error }
            return nil
        }
    }

    /// Offers a fetched timestamp, and stores it. Blocks.
    ///
    /// - Returns: The reason why an accepted timestamp could not be stored. It counts nevertheless.
    /// - Throws: ``BundleError`` if the timestamp is refused.
    @discardableResult
    public func offer(timestamp bytes: [UInt8], at time: Timestamp) throws(BundleError) -> BundleError? {
        try disk.withLock { disk throws(BundleError) in
            if !disk.isKnown { _ = try? restore(at: time, &disk) }
            let isNew = try changeGate { bundles throws(BundleError) in
                try bundles.offer(timestamp: bytes, at: time)
            }
            let gate = gate
            guard isNew, let file, let timestamp = gate.timestamp else { return nil }
            do throws(BundleError) {
                try file.rollout.save(timestamp, keys: gate.settings.timestampKeys)
                if let time = gate.freshAsOf { try file.rollout.save(freshAsOf: time) }
            } catch { return error }
            return nil
        }
    }

    /// Changes the halt or the timestamp. A refusal may change what is known as well: see ``RolloutGate``.
    private func changeGate(
        _ decide: (inout BundleState) throws(BundleError) -> Bool
    ) throws(BundleError) -> Bool {
        var bundles = state.withLock { $0.bundles }
        defer { publish(bundles) }
        return try decide(&bundles)
    }

    /// Loads the files of the roll-out. Files that cannot be used are fetched again.
    private func restoreRollout(at time: Timestamp) {
        var bundles = state.withLock { $0.bundles }
        if let file {
            file.rollout.restore(&bundles, at: time)
            // The first launch begins the measurement of freshness. Without the file, the next launch begins it again.
            if let time = bundles.gate.freshAsOf { try? file.rollout.save(freshAsOf: time) }
        } else {
            bundles.beginFreshness(nil, at: time)
        }
        publish(bundles)
    }

    /// Stores the pending bundle. Returns the reason if that fails: the bundle is then fetched again after a restart.
    private func savePending() -> BundleError? {
        do throws(BundleError) { try file?.rollout.save(pending: pending) } catch { return error }
        return nil
    }
}
