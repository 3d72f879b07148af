import Synchronization

/// Where the first answer of a delegate goes, and the one who waits for it.
final class AnswerSlot: Sendable {
    private enum State {
        case empty
        case awaited(CheckedContinuation<ChallengeAnswer, Never>)
        case filled(ChallengeAnswer)
    }

    private let state = Mutex(State.empty)

    /// Resumes the continuation with the answer, at once if there is one. Called once.
    func wait(_ continuation: CheckedContinuation<ChallengeAnswer, Never>) {
        let answer: ChallengeAnswer? = state.withLock { state in
            if case .filled(let answer) = state { return answer }
            state = .awaited(continuation)
            return nil
        }
        if let answer { continuation.resume(returning: answer) }
    }

    /// Gives an answer. Later ones do not count.
    func fill(_ answer: ChallengeAnswer) {
        let continuation: CheckedContinuation<ChallengeAnswer, Never>? = state.withLock { state in
            switch state {
            case .filled: return nil
            case .empty:
                state = .filled(answer)
                return nil
            case .awaited(let continuation):
                state = .filled(answer)
                return continuation
            }
        }
        continuation?.resume(returning: answer)
    }
}
