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

    /// Where judgements take the policy from: see ``TrustContext/policies(_:anchors:)``.
    public let policies: PolicyHolder
    private let file: BundleFile?
    private let state: Mutex<BundleState>

    /// Starts with the embedded policy of `state`. Without a file nothing survives a restart. Nothing is read yet.
    public init(_ state: BundleState, file: BundleFile?) {
        self.policies = PolicyHolder(state.policy)
        self.file = file
        self.state = Mutex(state)
    }

    /// The version in force.
    public var version: Int64 { state.withLock { $0.version } }

    /// Where the policy in force came from.
    public var origin: BundleState.Origin { state.withLock { $0.origin } }

    /// Whether the policy in force came in a bundle that has outlived its freshness. It stays in force.
    public func isStale(at time: Timestamp) -> Bool { state.withLock { $0.isStale(at: time) } }

    /// Takes up the copy on the disk, after it was verified like any other bundle. Throws ``BundleError`` if there is one
    /// that cannot be read or does not verify; what is in force stays so.
    @discardableResult
    public func restore(at time: Timestamp) throws(BundleError) -> Restoration {
        guard let bytes = try file?.load() else { return .nothingKept }
        return try state.withLock { state throws(BundleError) in
            do throws(BundleError) {
                try state.restore(bytes, at: time)
            } catch  where error.code == .rollback || error.code == .versionReused {
                return .superseded
            }
            publish(state)
            return .restored
        }
    }

    /// Offers a bundle that was just fetched. Throws ``BundleError`` and changes nothing unless all is well with it.
    @discardableResult
    public func offer(_ bytes: [UInt8], at time: Timestamp) throws(BundleError) -> Outcome {
        // Under the lock from the decision to the disk, so that two offers cannot be kept in the wrong order.
        try state.withLock { state throws(BundleError) in
            let acceptance = try state.offer(bytes, at: time)
            guard acceptance == .taken, case .bundle(let bundle) = state.origin else {
                return Outcome(acceptance: acceptance)
            }
            publish(state)
            do throws(BundleError) {
                try file?.save(bundle, keys: state.keys)
                return Outcome(acceptance: acceptance)
            } catch {
                return Outcome(acceptance: acceptance, storageProblem: error)
            }
        }
    }

    private func publish(_ state: BundleState) {
        guard case .bundle(let bundle) = state.origin else { return }
        policies.replace(with: bundle.policy, freshUntil: bundle.notAfter)
    }
}
