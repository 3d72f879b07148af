import Synchronization

/// Keeps whole errors, with their verdicts, while the core carries only their numbers.
///
/// Bounded: a failing server makes one error after the other. The oldest goes first; by then it has been shown.
final class ErrorTable: Sendable {
    static let capacity = 64

    private struct State {
        var lastID: UInt64 = 0
        var errors: [UInt64: any Error] = [:]
    }

    private let state = Mutex(State())

    /// Keeps an error, and returns the number under which ``error(_:)`` finds it. Never zero.
    func keep(_ error: any Error) -> UInt64 {
        state.withLock { state in
            state.lastID += 1
            state.errors[state.lastID] = error
            if state.lastID > UInt64(Self.capacity) { state.errors[state.lastID - UInt64(Self.capacity)] = nil }
            return state.lastID
        }
    }

    /// The error with this number, unless it is too old.
    func error(_ id: UInt64) -> (any Error)? {
        state.withLock { $0.errors[id] }
    }
}
