import DequeModule
import Synchronization

/// The connections that one client may have to all hosts together: a permit for each, dials included.
///
/// Permits are handed on in the order in which they were asked for. No other lock is taken under this one.
final class ConnectionBudget: Sendable {
    private struct Storage {
        var free: Int
        /// Dials that wait for a permit.
        var starved: Deque<(pool: OriginPool, dial: DialID)> = []
        var makeRoom: @Sendable () -> Void = {}
    }

    private let storage: Mutex<Storage>

    /// `limit` is the most connections; at least one.
    init(limit: Int) {
        self.storage = Mutex(Storage(free: max(1, limit)))
    }

    /// Sets what closes an idle connection of some host, if there is one.
    func onStarvation(_ makeRoom: @escaping @Sendable () -> Void) {
        storage.withLock { $0.makeRoom = makeRoom }
    }

    /// Whether a dial waits for a permit.
    var isStarved: Bool { storage.withLock { !$0.starved.isEmpty } }

    /// How many permits are free.
    var free: Int { storage.withLock { $0.free } }

    /// Takes a permit if one is free and nobody has waited longer.
    func take() -> Bool {
        storage.withLock { storage in
            guard storage.free > 0, storage.starved.isEmpty else { return false }
            storage.free -= 1
            return true
        }
    }

    /// Has a dial of a pool resumed with a permit: now if one is free and nobody has waited longer, or in its turn.
    func resume(_ dial: DialID, of pool: OriginPool) {
        // A dial that no request needs any more does not use the permit.
        if take(for: dial, of: pool), !pool.permitted(dial) { give() }
    }

    /// Takes a permit, or waits for one: the pool is told when it has it. Returns whether it has it now.
    private func take(for dial: DialID, of pool: OriginPool) -> Bool {
        let makeRoom = storage.withLock { storage -> (@Sendable () -> Void)? in
            if storage.free > 0, storage.starved.isEmpty {
                storage.free -= 1
                return nil
            }
            storage.starved.append((pool, dial))
            return storage.makeRoom
        }
        makeRoom?()
        return makeRoom == nil
    }

    /// Gives a permit back, to whoever has waited longest for one.
    func give() {
        // A dial that nobody needs any more does not use it.
        while let next = pass(), !next.pool.permitted(next.dial) {}
    }

    /// Whose turn it is; if nobody waits, the permit is free.
    private func pass() -> (pool: OriginPool, dial: DialID)? {
        storage.withLock { storage in
            let next = storage.starved.popFirst()
            if next == nil { storage.free += 1 }
            return next
        }
    }
}
