/// Collects entries that arrive while a batch is stored into the next batch, as a value. One commit then serves many
/// senders.
///
/// The queue is bounded by the number of its entries and by their size. Its owner calls ``take()`` after each ``add``
/// and after each ``ended()``.
struct ReportBatcher<Entry: Sendable>: Sendable {
    /// The maximum number of entries of a batch.
    static var batchEntries: Int { 512 }
    /// The maximum size of a batch in bytes. A larger entry is a batch of its own.
    static var batchBytes: Int { 4 << 20 }

    /// Whether an entry was added.
    enum Addition: Hashable, Sendable {
        case added
        /// The queue has reached a limit.
        case full
        /// The queue has ended.
        case closed
    }

    private let entryLimit: Int
    private let byteLimit: Int
    /// The maximum number of batches that are stored at the same time.
    private let concurrency: Int
    private var waiting: [(entry: Entry, bytes: Int)] = []
    /// The index of the first waiting entry. Removing taken entries one by one would take quadratic time.
    private var first = 0
    private var active = 0
    private var isClosed = false

    /// The size of the waiting entries in bytes.
    private(set) var bytes = 0
    /// The number of waiting entries.
    var count: Int { waiting.count - first }

    /// Creates a queue for at most `entryLimit` entries and `byteLimit` bytes that wait.
    init(entryLimit: Int, byteLimit: Int, concurrency: Int) {
        self.entryLimit = max(1, entryLimit)
        self.byteLimit = byteLimit
        self.concurrency = max(1, concurrency)
    }

    /// Adds an entry at the end of the queue.
    mutating func add(_ entry: Entry, bytes size: Int) -> Addition {
        guard !isClosed else { return .closed }
        // An empty queue accepts an entry of any size: the limit of a report's size applies.
        guard count < entryLimit, count == 0 || size <= byteLimit - bytes else { return .full }
        waiting.append((entry, size))
        bytes += size
        return .added
    }

    /// Returns the next batch, or `nil` if nothing waits or enough batches are being stored.
    mutating func take() -> [Entry]? {
        guard active < concurrency, count > 0 else { return nil }
        var (batch, size): ([Entry], Int) = ([], 0)
        while first < waiting.count, batch.count < Self.batchEntries {
            let (entry, bytes) = waiting[first]
            guard batch.isEmpty || size + bytes <= Self.batchBytes else { break }
            batch.append(entry)
            size += bytes
            first += 1
        }
        bytes -= size
        compact()
        active += 1
        return batch
    }

    /// Reports that a batch of ``take()`` is stored, or has failed.
    mutating func ended() {
        active = max(0, active - 1)
    }

    /// Ends the queue and returns the entries that still wait.
    mutating func close() -> [Entry] {
        isClosed = true
        let rest = waiting[first...].map(\.entry)
        waiting = []
        first = 0
        bytes = 0
        return rest
    }

    private mutating func compact() {
        guard first * 2 >= waiting.count else { return }
        waiting.removeFirst(first)
        first = 0
    }
}
