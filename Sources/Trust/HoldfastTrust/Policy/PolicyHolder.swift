import Synchronization

/// Stores the policy in force, which every evaluation reads.
///
/// The policy is immutable and replaced as a whole, so an evaluation never sees a partial change. With a change, a
/// context created with ``TrustContext/policies(_:anchors:logs:certificatePolicies:)`` discards its cached verdicts.
/// ``changes`` lets transports evaluate their open connections again. Can be used from any thread.
public final class PolicyHolder: Sendable {
    /// An observer of changes. Its termination is recorded without the holder's lock: a cancelled task holds its own
    /// lock at that time, and a notification under the holder's lock would wait for it.
    private struct Observer {
        let continuation: AsyncStream<PolicySnapshot>.Continuation
        let isGone: Flag
    }

    private final class Flag: Sendable {
        let value = Atomic(false)
    }

    private struct Storage {
        var machine: PolicyMachine
        var observers: [Observer] = []
    }

    private let storage: Mutex<Storage>

    /// Creates a holder with a policy.
    public init(_ policy: PinningPolicy) {
        storage = Mutex(Storage(machine: PolicyMachine(policy)))
    }

    /// The policy in force.
    public var snapshot: PolicySnapshot { storage.withLock { $0.machine.snapshot } }

    /// Replaces the policy in force. Setting an equal policy is not a change, but can extend its freshness.
    ///
    /// The caller decides what is trusted. For policies from the network, use ``BundleHolder``.
    public func replace(with policy: PinningPolicy, freshUntil: Timestamp? = nil) {
        storage.withLock { storage in
            guard storage.machine.replace(with: policy, freshUntil: freshUntil) else { return }
            storage.observers.removeAll { $0.isGone.value.load(ordering: .relaxed) }
            for observer in storage.observers { observer.continuation.yield(storage.machine.snapshot) }
        }
    }

    /// Sets the time after which verdicts report that the policy is frozen. This is not a change of the policy.
    package func setFrozenAfter(_ time: Timestamp?) {
        storage.withLock { $0.machine.setFrozenAfter(time) }
    }

    /// The policy in force, followed by every later change. A slow consumer receives only the latest snapshot.
    public var changes: AsyncStream<PolicySnapshot> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PolicySnapshot.self, bufferingPolicy: .bufferingNewest(1))
        let isGone = Flag()
        continuation.onTermination = { _ in isGone.value.store(true, ordering: .relaxed) }
        storage.withLock { storage in
            storage.observers.removeAll { $0.isGone.value.load(ordering: .relaxed) }
            storage.observers.append(Observer(continuation: continuation, isGone: isGone))
            continuation.yield(storage.machine.snapshot)
        }
        return stream
    }

    deinit {
        for observer in storage.withLock({ $0.observers }) { observer.continuation.finish() }
    }
}

/// Decides whether a replacement changes the policy in force, so that open connections must be evaluated again. It does
/// not lock or notify: ``PolicyHolder`` drives it for one app, and the fleet simulation for millions.
package struct PolicyMachine: Hashable, Sendable {
    /// The policy in force.
    package private(set) var snapshot: PolicySnapshot

    /// Creates a machine with the first policy.
    package init(_ policy: PinningPolicy) {
        snapshot = PolicySnapshot(policy: policy, revision: 0, freshUntil: nil, frozenAfter: nil)
    }

    /// Replaces the policy. Returns whether it differs from the policy before. An equal policy is not a change, but can
    /// extend its freshness.
    package mutating func replace(with policy: PinningPolicy, freshUntil: Timestamp?) -> Bool {
        let isNew = policy != snapshot.policy
        snapshot = PolicySnapshot(
            policy: policy, revision: snapshot.revision &+ (isNew ? 1 : 0), freshUntil: freshUntil,
            frozenAfter: snapshot.frozenAfter)
        return isNew
    }

    /// Sets the time after which the policy counts as frozen. This is not a change of the policy.
    package mutating func setFrozenAfter(_ time: Timestamp?) {
        snapshot = PolicySnapshot(
            policy: snapshot.policy, revision: snapshot.revision, freshUntil: snapshot.freshUntil, frozenAfter: time)
    }
}

/// The policy in force at one time.
public struct PolicySnapshot: Hashable, Sendable {
    /// The policy.
    public let policy: PinningPolicy
    /// The number of policies that the holder had before, starting at 0. Connections that were evaluated with a lower
    /// revision must be evaluated again.
    public let revision: UInt64
    /// The end of the policy's freshness, or `nil` if it does not age. A stale policy stays in force, and verdicts
    /// report it.
    public let freshUntil: Timestamp?

    /// The time after which the policy counts as frozen, or `nil` if the app has no timestamp key. No signed timestamp
    /// has confirmed until then that a newer bundle does not exist. The policy stays in force, and verdicts report it.
    public let frozenAfter: Timestamp?

    /// The earliest time after which verdicts have another notice, or `nil`.
    var noticesFrom: Timestamp? {
        guard let freshUntil, let frozenAfter else { return freshUntil ?? frozenAfter }
        return min(freshUntil, frozenAfter)
    }

    /// Returns the notices for verdicts under a stale or frozen policy.
    func notices(at time: Timestamp) -> [TrustFinding] {
        var notices: [TrustFinding] = []
        if let freshUntil, time > freshUntil {
            notices.append(
                notice(
                    .policyStale, "The policy was due for replacement by \(freshUntil); it stays in force.", freshUntil,
                    time))
        }
        if let frozenAfter, time > frozenAfter {
            notices.append(
                notice(
                    .policyFrozen,
                    "No signed timestamp has confirmed the policy until \(frozenAfter); it stays in force.",
                    frozenAfter,
                    time))
        }
        return notices
    }

    private func notice(
        _ code: TrustFinding.Code, _ text: String, _ end: Timestamp, _ time: Timestamp
    ) -> TrustFinding {
        var facts = TrustFacts()
        facts.notAfter = end
        facts.time = time
        return TrustFinding(code, text, facts: facts)
    }
}
