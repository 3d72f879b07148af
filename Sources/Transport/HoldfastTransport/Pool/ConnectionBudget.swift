import DequeModule
import Synchronization

/// The connection permits of one client for all hosts together. Each connection and each dial needs one.
///
/// Permits are granted in the order of the requests for them. No other lock is acquired while this one is held.
final class ConnectionBudget: Sendable {
    private struct Storage {
        var free: Int
        /// The dials that wait for a permit.
        var starved: Deque<(pool: OriginPool, dial: DialID)> = []
        var makeRoom: @Sendable () -> Void = {}

        /// Takes a permit if one is free and no dial waits for one.
        mutating func take() -> Bool {
            guard free > 0, starved.isEmpty else { return false }
            free -= 1
            return true
        }
    }

    private let storage: Mutex<Storage>

    /// Creates a budget of `limit` connections, at least one.
    init(limit: Int) {
        self.storage = Mutex(Storage(free: max(1, limit)))
    }

    /// Sets the closure that closes an idle connection to any host, if there is one.
    func onStarvation(_ makeRoom: @escaping @Sendable () -> Void) {
        storage.withLock { $0.makeRoom = makeRoom }
    }

    /// Whether a dial waits for a permit.
    var isStarved: Bool { storage.withLock { !$0.starved.isEmpty } }

    /// The number of free permits.
    var free: Int { storage.withLock { $0.free } }

    /// Takes a permit if one is free and no dial waits for one.
    func take() -> Bool { storage.withLock { $0.take() } }

    /// Resumes a dial of a pool with a permit: at once if one is free and no dial waits, and otherwise in its turn.
    func resume(_ dial: DialID, of pool: OriginPool) {
        // A dial that no request needs any longer returns the permit.
        if take(for: dial, of: pool), !pool.permitted(dial) { give() }
    }

    /// Takes a permit, or queues the dial, which is resumed later. Returns whether the permit was taken now.
    private func take(for dial: DialID, of pool: OriginPool) -> Bool {
        let makeRoom = storage.withLock { storage -> (@Sendable () -> Void)? in
            if storage.take() { return nil }
            storage.starved.append((pool, dial))
            return storage.makeRoom
        }
        makeRoom?()
        return makeRoom == nil
    }

    /// Returns a permit, which goes to the dial that has waited longest.
    func give() {
        // A dial that no request needs any longer does not use the permit.
        while let next = pass(), !next.pool.permitted(next.dial) {}
    }

    /// Returns the next waiting dial, or frees the permit if none waits.
    private func pass() -> (pool: OriginPool, dial: DialID)? {
        storage.withLock { storage in
            let next = storage.starved.popFirst()
            if next == nil { storage.free += 1 }
            return next
        }
    }
}
