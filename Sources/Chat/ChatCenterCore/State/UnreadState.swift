/// The unread counter: what is counted here, corrected by what the server counted.
struct UnreadState: Hashable, Sendable {
    /// How many more the server counted than are held here; unread messages beyond the window.
    var correction = 0
    /// When the server counted, by its own clock as far as it is known.
    var countedUntil = Int64.min
    /// What was told last.
    var told = 0
    /// The next poll, on the monotonic clock.
    var pollAt: Int64?
    /// A message came, or was read, while a question was under way: its answer may or may not count it.
    var isAnswerAmbiguous = false
}
