#if canImport(FoundationNetworking)
/// A delegate's right to answer: no answer when it is thrown away unused.
final class AnswerPromise<Answer: Sendable>: Sendable {
    let slot: AnswerSlot<Answer>

    init(_ slot: AnswerSlot<Answer>) {
        self.slot = slot
    }

    deinit { slot.abandon() }
}
#endif
