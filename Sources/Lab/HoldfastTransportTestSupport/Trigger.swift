import Synchronization

/// An event that a test fires, and that servers and proxies wait for. Tests use it instead of sleeping.
public final class Trigger: Sendable {
    private struct Storage {
        var hasFired = false
        var callbacks: [@Sendable () -> Void] = []
    }

    private let storage = Mutex(Storage())

    /// Creates a trigger that has not fired.
    public init() {}

    /// Whether the trigger has fired.
    public var hasFired: Bool { storage.withLock { $0.hasFired } }

    /// Fires the trigger. Later calls have no effect.
    public func fire() {
        let callbacks = storage.withLock { storage in
            storage.hasFired = true
            defer { storage.callbacks = [] }
            return storage.callbacks
        }
        for callback in callbacks { callback() }
    }

    /// Calls `callback` when the trigger fires, on the thread that fires it. If it has fired, the call is immediate.
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
