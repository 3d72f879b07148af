import Synchronization

/// Counts.
final class Turns: Sendable {
    private let count = Atomic(0)

    /// How often it was asked before.
    func next() -> Int {
        count.wrappingAdd(1, ordering: .relaxed).oldValue
    }
}
