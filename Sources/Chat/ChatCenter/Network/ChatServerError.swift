public import ChatCenterCore
import Synchronization

/// The server answered a call with a status that is no success.
public struct ChatServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The HTTP status.
    public var status: Int
    /// What the server said about it, where it said it in the protocol's form.
    public var refusal: ServerRefusal?
    /// How long the server asks to wait, in milliseconds.
    public var retryAfterMilliseconds: Int64?

    /// Describes an answer.
    public init(status: Int, refusal: ServerRefusal? = nil, retryAfterMilliseconds: Int64? = nil) {
        self.status = status
        self.refusal = refusal
        self.retryAfterMilliseconds = retryAfterMilliseconds
    }

    public var description: String {
        "The server answered \(status)" + (refusal.map { ": \($0)" } ?? "") + "."
    }
}

/// Keeps whole errors, with their verdicts, while the core carries only their numbers.
///
/// Bounded: a failing server makes one error after the other. The oldest goes first; by then it has been shown.
final class ErrorTable: Sendable {
    static let capacity = 64

    private struct State {
        var lastID: UInt64 = 0
        var errors: [UInt64: any Error] = [:]
        var diagnoses: [UInt64: ChatConnectionDiagnosis] = [:]
    }

    private let diagnostician: Diagnostician?

    /// - Parameter diagnostician: Looks at each error when it is kept: what is known beside it may be another later.
    init(diagnostician: Diagnostician? = nil) {
        self.diagnostician = diagnostician
    }

    private let state = Mutex(State())

    /// Keeps an error, and returns the number under which ``error(_:)`` finds it. Never zero.
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

    /// What the error with this number came down to, unless it is too old.
    func diagnosis(_ id: UInt64) -> ChatConnectionDiagnosis? {
        state.withLock { $0.diagnoses[id] }
    }

    /// The error with this number, unless it is too old.
    func error(_ id: UInt64) -> (any Error)? {
        state.withLock { $0.errors[id] }
    }
}
