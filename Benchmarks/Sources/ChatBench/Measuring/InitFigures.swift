/// The figures of `init` in one process.
struct InitFigures: Codable, Sendable {
    /// The microseconds of the first call.
    var first: Double
    var rest: Times
    /// The number of system calls that read or write, of all calls together, without ``wakeUps``.
    var readsAndWrites: Int
    /// The number of times that another thread was woken up: writes of eight bytes to an eventfd.
    var wakeUps: Int
    /// The number of additional open files and sockets after the calls.
    var openFiles: Int
    /// The number of files in the SDK's folder.
    var filesMade: Int
}
