import Synchronization

/// A lock whose acquisitions a ``LockOrder`` can record. Otherwise it behaves like a `Mutex`.
struct OrderedMutex<Value: ~Copyable>: ~Copyable, Sendable {
    private let name: LockOrder.Name
    private let mutex: Mutex<Value>

    init(_ name: LockOrder.Name, _ value: consuming sending Value) {
        self.name = name
        mutex = Mutex(value)
    }

    borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        let order = LockOrder.current
        order?.acquires(name)
        defer { order?.releases(name) }
        return try mutex.withLock(body)
    }
}

/// Records the order in which one thread takes the driver's locks. Two threads that take two locks in opposite orders
/// can deadlock; a single thread shows both orders without waiting.
package final class LockOrder: Sendable {
    /// The kinds of locks.
    enum Name: Int, CaseIterable, Sendable {
        case inbox, effects, published, driver, hub, fates, broadcast, delegates
    }

    private struct State {
        var held: [Name] = []
        /// For each lock: the locks that were taken while it was held.
        var taken = [Set<Name>](repeating: [], count: Name.allCases.count)
        var fault: String?

        /// Returns whether `last` was taken while `first` was held, directly or through other locks.
        func leads(from first: Name, to last: Name) -> Bool {
            var seen: Set<Name> = []
            var next = [first]
            while let name = next.popLast() {
                if name == last { return true }
                if seen.insert(name).inserted { next += Name.allCases.filter(taken[name.rawValue].contains) }
            }
            return false
        }
    }

    private let state = Mutex(State())
    /// The number of active recordings. If it is zero, a lock does no further checks.
    private static let followers = Atomic(0)
    @TaskLocal private static var recorder: LockOrder?

    package init() {}

    /// The caller's recorder.
    static var current: LockOrder? { followers.load(ordering: .relaxed) > 0 ? recorder : nil }

    /// Records the locks that `body` takes on this thread.
    package func record<Value>(_ body: () throws -> Value) rethrows -> Value {
        Self.followers.add(1, ordering: .relaxed)
        defer { Self.followers.subtract(1, ordering: .relaxed) }
        return try Self.$recorder.withValue(self, operation: body)
    }

    /// A description of the conflict, once two locks were taken in both orders.
    package var fault: String? { state.withLock { $0.fault } }

    func acquires(_ name: Name) {
        state.withLock { state in
            for held in state.held {
                if state.fault == nil, state.leads(from: name, to: held) {
                    state.fault = "the locks \(held) and \(name) are taken in both orders"
                }
                state.taken[held.rawValue].insert(name)
            }
            state.held.append(name)
        }
    }

    func releases(_ name: Name) {
        state.withLock { state in
            if let place = state.held.lastIndex(of: name) { state.held.remove(at: place) }
        }
    }
}

/// A value that one thread sets and another thread reads later. All copies of a reference share it.
final class SharedValue<Value: Sendable>: Sendable {
    private let stored: Mutex<Value>

    init(_ value: Value) {
        stored = Mutex(value)
    }

    var value: Value { stored.withLock { $0 } }

    func set(_ value: Value) {
        stored.withLock { $0 = value }
    }
}
