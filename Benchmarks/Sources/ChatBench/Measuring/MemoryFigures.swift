import BenchSupport

/// What one process with nothing but an SDK in it takes, one stage after the other.
struct MemoryFigures: Codable, Sendable {
    /// Before the first SDK was made.
    var before: Memory
    var made: Memory
    /// A user is authorised, his screen is open, the socket is ready and rests.
    var ready: Memory
    /// The screen was paged back as far as it holds messages.
    var paged: Memory?
    /// The rows that it showed then.
    var rows = 0
}
