import Synchronization

/// Caches revocation lists whose signature and scope were verified. Safe to use from any thread.
///
/// The number and the size of the lists are limited; the oldest are evicted first. The cache remembers for longer which
/// list was the newest, so that an older list cannot replace it.
final class RevocationListCache: Sendable {
    /// A URL, and the key of the issuer of the certificate that names it: other issuers may name the same URL.
    struct Key: Hashable, Sendable {
        var url: String
        var issuerKey: SPKIDigest
    }

    /// A verified list.
    struct Entry: Sendable {
        var list: RevocationList
        /// The key that signed the list.
        var signer: SPKIDigest
        /// The time at which the list was fetched.
        var fetched: Timestamp
    }

    private struct Storage {
        var entries: [Key: Entry] = [:]
        var order: [Key] = []
        var bytes = 0
        var newest: ArrivalCache<Key, Timestamp>

        mutating func remove(_ key: Key) {
            guard let old = entries.removeValue(forKey: key) else { return }
            bytes -= old.list.der.count
            order.removeAll { $0 == key }
        }
    }

    /// The number of lists whose time is remembered.
    static let remembered = 1_000

    private let capacity: Int
    private let byteCapacity: Int
    private let storage: Mutex<Storage>

    init(capacity: Int, byteCapacity: Int) {
        self.capacity = max(0, capacity)
        self.byteCapacity = max(0, byteCapacity)
        storage = Mutex(Storage(newest: ArrivalCache(capacity: RevocationListCache.remembered)))
    }

    /// Returns the list for a key if it is valid at this time.
    func entry(for key: Key, at time: Timestamp) -> Entry? {
        storage.withLock { storage in
            guard let entry = storage.entries[key] else { return nil }
            if let next = entry.list.nextUpdate, time > next {
                storage.remove(key)
                return nil
            }
            let start = entry.list.thisUpdate
            return start <= time.advanced(bySeconds: OCSPVerification.clockSkew) ? entry : nil
        }
    }

    /// Returns whether a list is older than one that was stored for the key before.
    func isReplay(_ list: RevocationList, for key: Key) -> Bool {
        storage.withLock { storage in storage.newest[key].map { list.thisUpdate < $0 } ?? false }
    }

    /// Stores a verified list.
    func store(_ entry: Entry, for key: Key) {
        storage.withLock { storage in
            storage.newest.put(entry.list.thisUpdate, for: key)
            storage.remove(key)
            let size = entry.list.der.count
            guard capacity > 0, size <= byteCapacity else { return }
            while let oldest = storage.order.first,
                storage.order.count >= capacity || storage.bytes + size > byteCapacity
            {
                storage.remove(oldest)
            }
            storage.entries[key] = entry
            storage.order.append(key)
            storage.bytes += size
        }
    }
}
