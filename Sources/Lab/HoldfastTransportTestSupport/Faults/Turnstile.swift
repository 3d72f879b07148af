import Synchronization

/// Lets the bytes of a slow connection pass one by one, as controlled by a test.
public final class Turnstile: Sendable {
    private struct Storage {
        /// The number of passages that were allowed and not used yet.
        var allowed = 0
        var isOpen = false
        var passed = 0
        /// The triggers of passages that were requested and not allowed yet.
        var waiting: [Trigger] = []
    }

    private let storage = Mutex(Storage())

    /// Creates a turnstile that lets nothing pass.
    public init() {}

    /// The number of bytes that have passed.
    public var passed: Int { storage.withLock(\.passed) }

    /// Lets `count` more bytes pass.
    public func letPass(_ count: Int = 1) {
        let triggers = storage.withLock { storage in
            let now = storage.waiting.prefix(count)
            storage.waiting.removeFirst(now.count)
            storage.allowed += count - now.count
            storage.passed += now.count
            return now
        }
        for trigger in triggers { trigger.fire() }
    }

    /// Lets all further bytes pass.
    public func open() {
        let triggers = storage.withLock { storage in
            storage.isOpen = true
            storage.passed += storage.waiting.count
            defer { storage.waiting = [] }
            return storage.waiting
        }
        for trigger in triggers { trigger.fire() }
    }

    /// Requests the passage of a byte. The returned trigger fires when the byte may pass.
    func next() -> Trigger {
        let trigger = Trigger()
        let mayPass = storage.withLock { storage in
            guard storage.isOpen || storage.allowed > 0 else {
                storage.waiting.append(trigger)
                return false
            }
            storage.allowed = max(0, storage.allowed - 1)
            storage.passed += 1
            return true
        }
        if mayPass { trigger.fire() }
        return trigger
    }
}
