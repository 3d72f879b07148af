import Synchronization

/// Lets the bytes of a slow connection pass one by one, as a test says.
public final class Turnstile: Sendable {
    private struct Storage {
        /// Passages that were allowed and not asked for yet.
        var allowed = 0
        var isOpen = false
        var passed = 0
        /// Passages that were asked for and not allowed yet.
        var waiting: [Trigger] = []
    }

    private let storage = Mutex(Storage())

    /// Makes a turnstile that lets nothing pass.
    public init() {}

    /// How many have passed.
    public var passed: Int { storage.withLock(\.passed) }

    /// Lets so many more pass.
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

    /// Lets everything pass from now on.
    public func open() {
        let triggers = storage.withLock { storage in
            storage.isOpen = true
            storage.passed += storage.waiting.count
            defer { storage.waiting = [] }
            return storage.waiting
        }
        for trigger in triggers { trigger.fire() }
    }

    /// A byte wants to pass. The trigger fires when it may.
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
