/// What one process saw of `init`.
struct InitFigures: Codable, Sendable {
    /// Microseconds of the first one.
    var first: Double
    var rest: Times
    /// System calls that read or write, by all of them together.
    var readsAndWrites: Int
    /// Files and sockets that are open afterwards and were not before.
    var openFiles: Int
    /// Files in the folder that the SDK was given.
    var filesMade: Int
}
