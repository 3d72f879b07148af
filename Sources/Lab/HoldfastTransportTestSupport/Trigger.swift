import Synchronization

/// Something that a test sets off by hand, and that servers and proxies wait for: in place of every sleep.
public final class Trigger: Sendable {
    private struct Storage {
        var hasFired = false
        var callbacks: [@Sendable () -> Void] = []
    }

    private let storage = Mutex(Storage())

    /// Makes a trigger that has not fired.
    public init() {}

    /// Whether it has been set off.
    public var hasFired: Bool { storage.withLock { $0.hasFired } }

    /// Sets it off. Later calls have no effect.
    public func fire() {
        let callbacks = storage.withLock { storage in
            storage.hasFired = true
            defer { storage.callbacks = [] }
            return storage.callbacks
        }
        for callback in callbacks { callback() }
    }

    /// Calls `callback` when the trigger fires; at once if it has. On the thread that fires it.
    public func whenFired(_ callback: @escaping @Sendable () -> Void) {
        let hasFired = storage.withLock { storage in
            if !storage.hasFired { storage.callbacks.append(callback) }
            return storage.hasFired
        }
        if hasFired { callback() }
    }

    /// Returns when the trigger has fired.
    public func wait() async {
        await withCheckedContinuation { continuation in
            whenFired { continuation.resume() }
        }
    }
}
