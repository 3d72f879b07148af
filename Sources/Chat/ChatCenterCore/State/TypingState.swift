/// Typing in both directions.
struct TypingState: Hashable, Sendable {
    /// No draft is sent before, on the monotonic clock.
    var nextDraftAt = Int64.min
    /// The newest text that was not sent because of the rate.
    var pendingDraft: String?
    /// The other side types until then.
    var otherUntil: Int64?
    var otherName: String?
}
