import Synchronization

/// Keeps complete errors, with their verdicts, while the core holds only their numbers.
///
/// Holds at most 64 errors, because a failing server causes one error after another, and drops the oldest first. An
/// error has usually been shown by then.
final class ErrorTable: Sendable {
    /// The maximum number of errors. A further one replaces the oldest.
    static let capacity = 64

    private struct State {
        var lastID: UInt64 = 0
        var errors: [UInt64: any Error] = [:]
        var diagnoses: [UInt64: ChatConnectionDiagnosis] = [:]
    }

    private let diagnostician: Diagnostician?

    /// - Parameter diagnostician: Diagnoses each error when it is added, because the known facts may change later.
    init(diagnostician: Diagnostician? = nil) {
        self.diagnostician = diagnostician
    }

    private let state = Mutex(State())

    /// Keeps an error and returns its number for ``error(_:)``. The number is never zero.
    func keep(_ error: any Error) -> UInt64 {
        let diagnosis = diagnostician?.diagnosis(of: error)
        return state.withLock { state in
            state.lastID += 1
            state.errors[state.lastID] = error
            state.diagnoses[state.lastID] = diagnosis
            if state.lastID > UInt64(Self.capacity) {
                state.errors[state.lastID - UInt64(Self.capacity)] = nil
                state.diagnoses[state.lastID - UInt64(Self.capacity)] = nil
            }
            return state.lastID
        }
    }

    /// Returns the diagnosis of the error with this number; `nil` if the error was dropped or has none.
    func diagnosis(_ id: UInt64) -> ChatConnectionDiagnosis? {
        state.withLock { $0.diagnoses[id] }
    }

    /// Returns the error with this number; `nil` if it was dropped.
    func error(_ id: UInt64) -> (any Error)? {
        state.withLock { $0.errors[id] }
    }
}
