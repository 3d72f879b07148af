/// A delegate's right to answer: a refusal when it is thrown away unused.
final class AnswerPromise: Sendable {
    let slot: AnswerSlot

    init(_ slot: AnswerSlot) {
        self.slot = slot
    }

    deinit { slot.fill(.refused(.unanswered)) }
}
