import Synchronization

/// A place for the policy in force, from which every judgement takes it anew.
///
/// The policy itself is immutable; it is exchanged as a whole, so no judgement sees half of a change. A context that was
/// made with ``TrustContext/policies(_:anchors:)`` forgets its cached verdicts with the change, and ``changes`` tells
/// transports to judge the connections that are open. May be used from any thread.
public final class PolicyHolder: Sendable {
    private struct Storage {
        var snapshot: PolicySnapshot
        var observers: [Int: AsyncStream<PolicySnapshot>.Continuation] = [:]
        var nextObserver = 0
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
            for observer in storage.observers.values { observer.yield(storage.snapshot) }
        }
    }

    /// The snapshots from now on: the present one first, then each new one. Whoever is slow gets the latest alone.
    public var changes: AsyncStream<PolicySnapshot> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PolicySnapshot.self, bufferingPolicy: .bufferingNewest(1))
        let number = storage.withLock { storage in
            let number = storage.nextObserver
            storage.nextObserver += 1
            storage.observers[number] = continuation
            continuation.yield(storage.snapshot)
            return number
        }
        continuation.onTermination = { [weak self] _ in
            self?.storage.withLock { $0.observers[number] = nil }
        }
        return stream
    }

    deinit {
        for observer in storage.withLock({ Array($0.observers.values) }) { observer.finish() }
    }
}
