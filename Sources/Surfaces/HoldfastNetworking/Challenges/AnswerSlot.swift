#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import Synchronization

/// Where the answer of a delegate goes, and the one who waits for it.
///
/// An answer that is given before the delegate's method has returned counts from then on: until then a second one is
/// noticed. One that is given later counts at once.
final class AnswerSlot<Answer: Sendable>: Sendable {
    private struct State {
        var answer: Answer?
        var isCalling = true
        var isFinal = false
        var waiting: CheckedContinuation<Answer, Never>?

        /// Whoever waits is to be told now.
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
    ///   - unanswered: The answer of a delegate that throws the handler away, and of one that takes too long.
    ///   - twice: The answer of a delegate that answers more than once.
    init(unanswered: Answer, twice: Answer) {
        self.unanswered = unanswered
        self.twice = twice
    }

    /// Calls a delegate on its queue and returns what it answers. Ends with the task that waits, too. Called once.
    func answer(on queue: OperationQueue, _ call: @escaping @Sendable (AnswerPromise<Answer>) -> Void) async -> Answer {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard wait(continuation) else { return }
                queue.addOperation { [self] in
                    // Held by the completion handler alone: when that is gone, nobody can answer any more.
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

    /// Gives an answer.
    func fill(_ answer: Answer) {
        settle { $0.answer = $0.answer == nil ? answer : twice }
    }

    /// Nobody can answer any more.
    func abandon() {
        settle { $0.answer = $0.answer ?? unanswered }
    }

    /// Returns false if there is nothing left to ask.
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

/// A delegate's right to answer: no answer when it is thrown away unused.
final class AnswerPromise<Answer: Sendable>: Sendable {
    let slot: AnswerSlot<Answer>

    init(_ slot: AnswerSlot<Answer>) {
        self.slot = slot
    }

    deinit { slot.abandon() }
}
#endif
