import Synchronization

/// The policy of an app that takes signed bundles: the state, the copy on the disk and the policy in force, kept in step.
///
/// At launch ``restore(at:)`` takes up what was kept; then each fetched bundle is offered. Whatever goes wrong, the policy
/// in force stays in force; before the first bundle that is the embedded one. The methods that touch the disk block the
/// calling thread. May be used from any thread.
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

    private struct Storage {
        var bundles: BundleState
        /// Whether what is in force is still to be written to the disk.
        var isOwed = false
    }

    /// Where judgements take the policy from: see ``TrustContext/policies(_:anchors:)``.
    public let policies: PolicyHolder
    private let file: BundleFile?
    private let storage: Mutex<Storage>

    /// Starts with the embedded policy of `state`. Without a file nothing survives a restart. Nothing is read yet.
    public init(_ state: BundleState, file: BundleFile?) {
        self.policies = PolicyHolder(state.policy)
        self.file = file
        self.storage = Mutex(Storage(bundles: state))
    }

    /// The version in force.
    public var version: Int64 { storage.withLock { $0.bundles.version } }

    /// Where the policy in force came from.
    public var origin: BundleState.Origin { storage.withLock { $0.bundles.origin } }

    /// Whether the policy in force came in a bundle that has outlived its freshness. It stays in force.
    public func isStale(at time: Timestamp) -> Bool { storage.withLock { $0.bundles.isStale(at: time) } }

    /// Takes up the copy on the disk, after it was verified like any other bundle. Throws ``BundleError`` if there is one
    /// that cannot be read or does not verify; what is in force stays so.
    @discardableResult
    public func restore(at time: Timestamp) throws(BundleError) -> Restoration {
        guard let bytes = try file?.load() else { return .nothingKept }
        return try storage.withLock { storage throws(BundleError) in
            do throws(BundleError) {
                try storage.bundles.restore(bytes, at: time)
            } catch  where error.code == .rollback || error.code == .versionReused {
                return .superseded
            }
            publish(storage.bundles)
            return .restored
        }
    }

    /// Offers a bundle that was just fetched. Throws ``BundleError`` and changes nothing unless all is well with it.
    ///
    /// Where an earlier bundle could not be kept on the disk, and is offered again, keeping it is tried again.
    @discardableResult
    public func offer(_ bytes: [UInt8], at time: Timestamp) throws(BundleError) -> Outcome {
        // Under the lock from the decision to the disk, so that two offers cannot be kept in the wrong order.
        try storage.withLock { storage throws(BundleError) in
            let acceptance = try storage.bundles.offer(bytes, at: time)
            if acceptance == .taken {
                publish(storage.bundles)
                storage.isOwed = true
            }
            return Outcome(acceptance: acceptance, storageProblem: keep(&storage))
        }
    }

    /// Whether the bundle in force is still to be written to the disk: writing it failed.
    public var isStorageOwed: Bool { storage.withLock { $0.isOwed } }

    /// Tries again to write the bundle in force to the disk, where that failed before. Throws ``BundleError`` `storage` if it fails again.
    public func keep() throws(BundleError) {
        if let problem = storage.withLock({ keep(&$0) }) { throw problem }
    }

    private func keep(_ storage: inout Storage) -> BundleError? {
        guard storage.isOwed, case .bundle(let bundle) = storage.bundles.origin else { return nil }
        do throws(BundleError) {
            try file?.save(bundle, keys: storage.bundles.keys)
            storage.isOwed = false
            return nil
        } catch {
            return error
        }
    }

    private func publish(_ state: BundleState) {
        guard case .bundle(let bundle) = state.origin else { return }
        policies.replace(with: bundle.policy, freshUntil: bundle.notAfter)
    }
}
