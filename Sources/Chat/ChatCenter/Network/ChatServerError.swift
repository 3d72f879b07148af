public import ChatCenterCore
import Synchronization

/// A response of the server with a status outside 200 to 299.
public struct ChatServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The HTTP status.
    public var status: Int
    /// The server's error message, if the response contains one in the protocol's format.
    public var refusal: ServerRefusal?
    /// The delay before a retry that the server requests, in milliseconds.
    public var retryAfterMilliseconds: Int64?

    /// Creates an error from a response's values.
    public init(status: Int, refusal: ServerRefusal? = nil, retryAfterMilliseconds: Int64? = nil) {
        self.status = status
        self.refusal = refusal
        self.retryAfterMilliseconds = retryAfterMilliseconds
    }

    /// A textual description, for logs.
    public var description: String {
        "The server answered with status \(status)" + (refusal.map { ": \($0)" } ?? "") + "."
    }
}

/// Keeps complete errors, with their verdicts, while the core holds only their numbers.
///
/// Holds at most 64 errors, because a failing server causes one error after another, and drops the oldest first. An
/// error has usually been shown by then.
final class ErrorTable: Sendable {
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
