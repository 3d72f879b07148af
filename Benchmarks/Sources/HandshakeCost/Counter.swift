import Synchronization

/// A counter.
final class Counter: Sendable {
    private let count = Atomic(0)

    /// Returns the number of previous calls.
    func next() -> Int {
        count.wrappingAdd(1, ordering: .relaxed).oldValue
    }
}
