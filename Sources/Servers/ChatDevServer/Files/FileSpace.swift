import Synchronization

/// The space for uploaded files: the limit in bytes, and the bytes in use by complete and unfinished files.
/// Thread-safe.
final class FileSpace: Sendable {
    /// The remaining space is too small.
    struct Full: Error {}

    private let limit: Int64
    private let used: Mutex<Int64>

    init(limit: Int64, used: Int64) {
        self.limit = limit
        self.used = Mutex(used)
    }

    /// Whether the limit is reached.
    var isFull: Bool { used.withLock { $0 >= limit } }

    /// Reserves space for bytes that will be written.
    func take(_ bytes: Int64) throws(Full) {
        let fits = used.withLock { used in
            guard used <= limit, bytes <= limit - used else { return false }
            used += bytes
            return true
        }
        guard fits else { throw Full() }
    }

    /// Releases the space of a file that was discarded.
    func giveBack(_ bytes: Int64) {
        used.withLock { $0 -= bytes }
    }
}
