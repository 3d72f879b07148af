/// A cache with limits for the number of entries, their total size and their age. The least recently used entries are
/// removed first.
///
/// A value without a clock: the caller passes the time in milliseconds of a monotonic clock.
struct BoundedCache<Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        var value: Value
        var size: Int
        var expires: Int64
        var used: UInt64
    }

    private let entryLimit: Int
    private let sizeLimit: Int
    private var entries: [String: Entry] = [:]
    private var size = 0
    private var uses: UInt64 = 0

    /// Creates an empty cache.
    init(entries: Int, size: Int) {
        entryLimit = max(1, entries)
        sizeLimit = max(1, size)
    }

    /// The number of entries.
    var count: Int { entries.count }
    /// The total size of the entries.
    var totalSize: Int { size }

    /// Returns the value of a key; `nil` if there is none or if it has expired.
    mutating func value(of key: String, at now: Int64) -> Value? {
        guard let entry = entries[key] else { return nil }
        guard entry.expires > now else {
            remove(key)
            return nil
        }
        uses += 1
        entries[key]?.used = uses
        return entry.value
    }

    /// Stores a value. A value that exceeds the limit alone is not stored.
    ///
    /// - Parameters:
    ///   - size: The size of the value.
    ///   - lifetime: The time in milliseconds until it expires.
    mutating func store(_ value: Value, for key: String, size: Int, lifetime: Int64, at now: Int64) {
        remove(key)
        let size = size + key.utf8.count
        guard size <= sizeLimit else { return }
        while entries.count >= entryLimit || self.size + size > sizeLimit {
            guard let oldest = entries.min(by: { $0.value.used < $1.value.used }) else { break }
            remove(oldest.key)
        }
        uses += 1
        entries[key] = Entry(value: value, size: size, expires: now + lifetime, used: uses)
        self.size += size
    }

    private mutating func remove(_ key: String) {
        if let entry = entries.removeValue(forKey: key) { size -= entry.size }
    }
}
