import HTTPTypes
import Synchronization

/// Limits operations at the same time, by their number or by another weight such as bytes in memory. Further ones are
/// refused, not queued. Thread-safe.
final class Gate: Sendable {
    /// The room of one operation. It is free again when nothing refers to the place any more.
    final class Place: Sendable {
        private let gate: Gate
        private let weight: Int64

        fileprivate init(_ gate: Gate, _ weight: Int64) {
            self.gate = gate
            self.weight = weight
        }

        deinit { gate.taken.withLock { $0 -= weight } }
    }

    private let limit: Int64
    private let taken = Mutex<Int64>(0)

    /// Creates a gate for this weight of all operations together.
    init(_ limit: Int64) {
        self.limit = limit
    }

    /// Takes the room of one operation. Throws ``PageFailure`` with status 503 if there is not enough.
    func enter(weight: Int64 = 1) throws(PageFailure) -> Place {
        let weight = max(0, weight)
        let isFree = taken.withLock { taken in
            guard weight <= limit - taken else { return false }
            taken += weight
            return true
        }
        guard isFree else {
            throw PageFailure(.serviceUnavailable, "busy", "The server is busy. Try again in a few seconds.")
        }
        return Place(self, weight)
    }

    /// Runs an operation. Throws ``PageFailure`` with status 503 if the limit is reached.
    func pass<Value>(_ body: () async throws -> Value) async throws -> Value {
        let place = try enter()
        defer { withExtendedLifetime(place) {} }
        return try await body()
    }
}
