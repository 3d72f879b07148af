import BenchSupport

/// The memory of a process that contains only an SDK, at several stages.
struct MemoryFigures: Codable, Sendable {
    /// Before the first SDK is created.
    var before: Memory
    var made: Memory
    /// After a user is authorized, with an open screen and an idle socket.
    var ready: Memory
    /// After the screen has loaded as many older messages as it can hold.
    var paged: Memory?
    /// The number of rows on the screen at that time.
    var rows = 0
}
