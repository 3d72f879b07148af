import Synchronization

/// The policy of an app that takes signed bundles: the state, the copy on the disk and the policy in force, kept in step.
///
/// At launch ``restore(at:)`` takes up what was kept; then each fetched bundle is offered. Whatever goes wrong, the policy
/// in force stays in force; before the first bundle that is the embedded one. The methods that touch the disk block the
/// calling thread; properties and ``isStale(at:)`` never wait for a disk. May be used from any thread.
public final class BundleHolder: Sendable {
    /// What became of an offer.
    public struct Outcome: Hashable, Sendable {
        /// Whether the bundle is in force now, or was already.
        public var acceptance: BundleState.Acceptance
        /// Why a bundle that was taken could not be kept on the disk. It is in force all the same, and after a restart it
        /// has to be fetched again: staying with older pins because a disk is full would be the worse choice.
        public var storageProblem: BundleError?
    }

    /// What became of the copy on the disk.
    public enum Restoration: Hashable, Sendable {
        /// It is in force now.
        case restored
        /// There is none: the embedded policy is in force, and its version is the least that is taken.
        case nothingKept
        /// It is not newer than what is in force, as after an update of the app.
        case superseded
    }

    private struct State {
        var bundles: BundleState
        /// Whether what is in force is still to be written to the disk.
        var isOwed = false
    }

    private struct Disk {
        /// Whether it is known what was on the disk at the start. Until then it may be newer than anything that is offered.
        var isKnown = false
        /// The time of the last call that said one.
        var time: Timestamp?
    }

    /// Where judgements take the policy from: see ``TrustContext/policies(_:anchors:)``.
    public let policies: PolicyHolder
    private let file: BundleFile?
    /// Held while the disk is used, and by all who change `state`, from the decision to the disk: two offers cannot be kept in the wrong
    /// order.
    private let disk = Mutex(Disk())
    /// Held for moments, and never while the disk is used.
    private let state: Mutex<State>

    /// Starts with the embedded policy of `state`. Without a file nothing survives a restart. Nothing is read yet.
    public init(_ state: BundleState, file: BundleFile?) {
        self.policies = PolicyHolder(state.policy)
        self.file = file
        self.state = Mutex(State(bundles: state))
    }

    /// The version in force.
    public var version: Int64 { state.withLock { $0.bundles.version } }

    /// Where the policy in force came from.
    public var origin: BundleState.Origin { state.withLock { $0.bundles.origin } }

    /// Whether the policy in force came in a bundle that has outlived its freshness. It stays in force.
    public func isStale(at time: Timestamp) -> Bool { state.withLock { $0.bundles.isStale(at: time) } }

    /// Takes up the copy on the disk, after it was verified like any other bundle. Throws ``BundleError`` if there is one
    /// that cannot be read or does not verify; what is in force stays so.
    @discardableResult
    public func restore(at time: Timestamp) throws(BundleError) -> Restoration {
        try disk.withLock { disk throws(BundleError) in try restore(at: time, &disk) }
    }

    private func restore(at time: Timestamp, _ disk: inout Disk) throws(BundleError) -> Restoration {
        disk.time = time
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

    /// Offers a bundle that was just fetched. Throws ``BundleError`` and changes nothing unless all is well with it.
    ///
    /// Where the copy on the disk has not been read yet, because ``restore(at:)`` was not called or the disk did not let it, it is taken up
    /// first: nothing older than it is taken. Where the disk does not let that be either, the offer is judged by what is in force, and a
    /// newer copy that turns up when it is to be kept is taken up then; the error is `rollback`. Where an earlier bundle could not be
    /// kept on the disk, and is offered again, keeping it is tried again.
    @discardableResult
    public func offer(_ bytes: [UInt8], at time: Timestamp) throws(BundleError) -> Outcome {
        try disk.withLock { disk throws(BundleError) in
            disk.time = time
            // What cannot be taken up is for `restore` to tell.
            if !disk.isKnown { _ = try? restore(at: time, &disk) }
            let acceptance = try change(owes: true) { bundles throws(BundleError) in
                try bundles.offer(bytes, at: time)
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

    /// Whether the bundle in force is still to be written to the disk: writing it failed.
    public var isStorageOwed: Bool { state.withLock { $0.isOwed } }

    /// Tries again to write the bundle in force to the disk, where that failed before. If there is a newer one on the disk, that is in
    /// force afterwards. Throws ``BundleError`` `storage` if it fails again.
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

    /// Decides, outside the lock that readers take, and puts what comes of it in force. Called with the disk's lock held.
    @discardableResult
    private func change(
        owes: Bool, _ decide: (inout BundleState) throws(BundleError) -> BundleState.Acceptance
    ) throws(BundleError) -> BundleState.Acceptance {
        var bundles = state.withLock { $0.bundles }
        let acceptance = try decide(&bundles)
        guard acceptance == .taken, case .bundle(let bundle) = bundles.origin else { return acceptance }
        state.withLock { state in
            state.bundles = bundles
            if owes { state.isOwed = true }
            policies.replace(with: bundle.policy, freshUntil: bundle.notAfter)
        }
        return acceptance
    }
}
