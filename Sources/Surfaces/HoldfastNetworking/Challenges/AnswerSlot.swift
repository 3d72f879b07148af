#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import Synchronization

/// Receives the answer of a delegate and resumes the waiting task.
///
/// An answer given before the delegate's method returns takes effect when it returns, so that a second answer is
/// noticed. A later answer takes effect immediately.
final class AnswerSlot<Answer: Sendable>: Sendable {
    private struct State {
        var answer: Answer?
        var isCalling = true
        var isFinal = false
        var waiting: CheckedContinuation<Answer, Never>?

        /// Marks the answer as final. Returns the waiting continuation to resume.
        mutating func finish() -> CheckedContinuation<Answer, Never>? {
            isFinal = true
            defer { waiting = nil }
            return waiting
        }
    }

    private let unanswered: Answer
    private let twice: Answer
    private let state = Mutex(State())

    /// - Parameters:
    ///   - unanswered: The answer if the delegate releases the handler without calling it, or takes too long.
    ///   - twice: The answer if the delegate answers more than once.
    init(unanswered: Answer, twice: Answer) {
        self.unanswered = unanswered
        self.twice = twice
    }

    /// Calls a delegate on its queue and returns its answer. Cancelling the waiting task ends the wait. Call this
    /// method once.
    func answer(on queue: OperationQueue, _ call: @escaping @Sendable (AnswerPromise<Answer>) -> Void) async -> Answer {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard wait(continuation) else { return }
                queue.addOperation { [self] in
                    // Only the completion handler holds the promise. When it is released, no answer can follow.
                    call(AnswerPromise(self))
                    settle { $0.isCalling = false }
                }
            }
        } onCancel: {
            settle { state in
                state.answer = unanswered
                state.isCalling = false
            }
        }
    }

    /// Records an answer.
    func fill(_ answer: Answer) {
        settle { $0.answer = $0.answer == nil ? answer : twice }
    }

    /// Records that no answer can follow.
    func abandon() {
        settle { $0.answer = $0.answer ?? unanswered }
    }

    /// Waits for the answer. Returns `false` if the answer is already final.
    private func wait(_ continuation: CheckedContinuation<Answer, Never>) -> Bool {
        let answer: Answer? = state.withLock { state in
            guard !state.isFinal else { return state.answer }
            state.waiting = continuation
            return nil
        }
        if let answer { continuation.resume(returning: answer) }
        return answer == nil
    }

    private func settle(_ change: (inout State) -> Void) {
        let told: (CheckedContinuation<Answer, Never>, Answer)? = state.withLock { state in
            guard !state.isFinal else { return nil }
            change(&state)
            guard !state.isCalling, let answer = state.answer else { return nil }
            return state.finish().map { ($0, answer) }
        }
        told?.0.resume(returning: told?.1 ?? unanswered)
    }
}

/// A delegate's ability to answer once. Releasing it unused counts as no answer.
final class AnswerPromise<Answer: Sendable>: Sendable {
    let slot: AnswerSlot<Answer>

    init(_ slot: AnswerSlot<Answer>) {
        self.slot = slot
    }

    deinit { slot.abandon() }
}
#endif
