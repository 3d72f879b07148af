import Synchronization

/// A place for the policy in force, from which every judgement takes it anew.
///
/// The policy itself is immutable; it is exchanged as a whole, so no judgement sees half of a change. A context that was
/// made with ``TrustContext/policies(_:anchors:)`` forgets its cached verdicts with the change, and ``changes`` tells
/// transports to judge the connections that are open. May be used from any thread.
public final class PolicyHolder: Sendable {
    /// Somebody who is told of changes. That he is gone is noted without the lock: a task that is cancelled holds a lock of its
    /// own meanwhile, which whoever tells it something under ours would wait for.
    private struct Observer {
        let continuation: AsyncStream<PolicySnapshot>.Continuation
        let isGone: Flag
    }

    private final class Flag: Sendable {
        let value = Atomic(false)
    }

    private struct Storage {
        var snapshot: PolicySnapshot
        var observers: [Observer] = []
    }

    private let storage: Mutex<Storage>

    /// Starts with a policy.
    public init(_ policy: PinningPolicy) {
        storage = Mutex(Storage(snapshot: PolicySnapshot(policy: policy, revision: 0, freshUntil: nil)))
    }

    /// What is in force now.
    public var snapshot: PolicySnapshot { storage.withLock { $0.snapshot } }

    /// Puts another policy in force. The same one once more is no change, and may stay fresh for longer.
    ///
    /// Whoever calls this decides what is trusted; for policies that come over the network use ``BundleHolder``.
    public func replace(with policy: PinningPolicy, freshUntil: Timestamp? = nil) {
        storage.withLock { storage in
            let isNew = policy != storage.snapshot.policy
            storage.snapshot = PolicySnapshot(
                policy: policy, revision: storage.snapshot.revision &+ (isNew ? 1 : 0), freshUntil: freshUntil)
            guard isNew else { return }
            storage.observers.removeAll { $0.isGone.value.load(ordering: .relaxed) }
            for observer in storage.observers { observer.continuation.yield(storage.snapshot) }
        }
    }

    /// The snapshots from now on: the present one first, then each new one. Whoever is slow gets the latest alone.
    public var changes: AsyncStream<PolicySnapshot> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PolicySnapshot.self, bufferingPolicy: .bufferingNewest(1))
        let isGone = Flag()
        continuation.onTermination = { _ in isGone.value.store(true, ordering: .relaxed) }
        storage.withLock { storage in
            storage.observers.removeAll { $0.isGone.value.load(ordering: .relaxed) }
            storage.observers.append(Observer(continuation: continuation, isGone: isGone))
            continuation.yield(storage.snapshot)
        }
        return stream
    }

    deinit {
        for observer in storage.withLock({ $0.observers }) { observer.continuation.finish() }
    }
}

/// A policy as it was in force at one moment.
public struct PolicySnapshot: Hashable, Sendable {
    /// The policy.
    public let policy: PinningPolicy
    /// Counts the policies that a holder has had, from 0. Connections that were judged under a lower one are to be judged
    /// again.
    public let revision: UInt64
    /// Until when the policy is fresh; `nil` for one that does not age. A stale one stays in force, and the verdicts say so.
    public let freshUntil: Timestamp?

    /// What a verdict under a stale policy notes.
    func staleness(at time: Timestamp) -> TrustFinding? {
        guard let freshUntil, time > freshUntil else { return nil }
        var facts = TrustFacts()
        facts.notAfter = freshUntil
        facts.time = time
        return TrustFinding(
            .policyStale, "The policy was to be replaced by \(freshUntil); it stays in force.", facts: facts)
    }
}
