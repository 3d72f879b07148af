import Synchronization

/// The bytes that uploaded files may have together, and those that they have: the finished ones, and the part of each unfinished
/// one that has come. From any thread.
final class FileSpace: Sendable {
    /// There is no room.
    struct Full: Error {}

    private let limit: Int64
    private let used: Mutex<Int64>

    init(limit: Int64, used: Int64) {
        self.limit = limit
        self.used = Mutex(used)
    }

    /// Whether nothing more fits.
    var isFull: Bool { used.withLock { $0 >= limit } }

    /// Takes room for bytes that are to be written.
    func take(_ bytes: Int64) throws(Full) {
        let fits = used.withLock { used in
            guard used <= limit, bytes <= limit - used else { return false }
            used += bytes
            return true
        }
        guard fits else { throw Full() }
    }

    /// Gives the room of a file back that has come to nothing.
    func giveBack(_ bytes: Int64) {
        used.withLock { $0 -= bytes }
    }
}
