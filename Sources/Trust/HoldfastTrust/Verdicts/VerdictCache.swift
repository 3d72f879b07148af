import Crypto
import Synchronization

/// Caches accepted servers for a minute, so that a burst of handshakes with the same chain needs one evaluation.
///
/// - Each ``TrustContext`` has its own cache. A context with another policy or other anchors starts with an empty
///   cache.
/// - The cache stores only verdicts that permit the connection and that come from Holdfast's own synchronous checks. A
///   refusal is always evaluated again.
/// - An entry expires after a minute, or earlier with a certificate, the pins, or the freshness of a bundle.
/// - All entries are dropped when the clock goes back, the machine's roots are reloaded, or the policy or the list of
///   logs changes.
final class VerdictCache: Sendable {
    /// The maximum lifetime of an entry in seconds.
    static let lifetime: Int64 = 60

    /// The inputs of verdicts that can change within a context: the machine's roots, the policy of a holder, and the
    /// logs of a holder.
    struct Generation: Hashable, Sendable {
        var roots: UInt64
        var policy: UInt64 = 0
        var logs: UInt64 = 0
    }

    private struct Key: Hashable {
        var chain: ChainDigest
        var host: CanonicalHost
    }

    private struct Entry {
        var verdict: TrustVerdict
        var until: Timestamp
    }

    private struct Storage {
        var entries: ArrivalCache<Key, Entry>
        var latest: Timestamp?
        var generation = Generation(roots: 0)

        /// Removes all entries if the inputs have changed or the clock went back.
        mutating func settle(at time: Timestamp, _ current: Generation) {
            if let latest, time < latest { entries.removeAll() }
            if generation != current { entries.removeAll() }
            generation = current
            latest = time
        }
    }

    private let storage: Mutex<Storage>

    init(capacity: Int = 256) {
        storage = Mutex(Storage(entries: ArrivalCache(capacity: max(1, capacity))))
    }

    /// Returns the verdict on this chain for this host if it was made within the last minute and is still valid.
    func verdict(on chain: ChainDigest, for subject: TrustSubject, at time: Timestamp, _ generation: Generation)
        -> TrustVerdict?
    {
        storage.withLock { storage in
            storage.settle(at: time, generation)
            guard let entry = storage.entries[Key(chain: chain, host: subject.host)], time < entry.until else {
                return nil
            }
            var verdict = entry.verdict
            verdict.subject = subject
            verdict.time = time
            verdict.duration = .zero
            verdict.isFromCache = true
            return verdict
        }
    }

    /// Stores a verdict if it may be cached, at most until `limit` if there is one.
    func store(
        _ verdict: TrustVerdict, on chain: ChainDigest, for subject: TrustSubject, _ generation: Generation,
        until limit: Timestamp? = nil
    ) {
        guard verdict.permitsConnection else { return }
        let time = verdict.time
        // Dates in the past did not affect this verdict, so they do not limit its lifetime.
        let ends =
            (verdict.path?.certificates.compactMap(\.notAfter) ?? [])
            + [verdict.pinning?.expires, verdict.validUntil, limit].compactMap { $0 }
        let until = ends.filter { $0 > time }.reduce(time.advanced(bySeconds: VerdictCache.lifetime), min)
        storage.withLock { storage in
            storage.settle(at: time, generation)
            let key = Key(chain: chain, host: subject.host)
            storage.entries.put(Entry(verdict: verdict, until: until), for: key)
        }
    }
}

/// The identity of a presented chain: the SHA-256 hash over all certificates in order, each preceded by its length.
/// Without the lengths, two chains with a different split of the same bytes would have the same hash.
struct ChainDigest: Hashable, Sendable {
    private let bytes: [UInt8]

    init(_ der: [[UInt8]]) {
        var hash = SHA256()
        for certificate in der {
            let count = UInt64(certificate.count)
            hash.update(data: (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * UInt64($0))) })
            hash.update(data: certificate)
        }
        bytes = Array(hash.finalize())
    }
}

/// Values in the order in which they arrived, up to a capacity. The oldest value is evicted first.
struct ArrivalCache<Key: Hashable, Value> {
    private let capacity: Int
    private var values: [Key: Value] = [:]
    private var order: [Key] = []

    init(capacity: Int) { self.capacity = capacity }

    subscript(key: Key) -> Value? { values[key] }

    /// Stores a value. A value that replaces another one takes its place in the order.
    mutating func put(_ value: Value, for key: Key) {
        guard capacity > 0 else { return }
        if values.updateValue(value, forKey: key) == nil {
            order.append(key)
            if order.count > capacity { values[order.removeFirst()] = nil }
        }
    }

    mutating func remove(_ key: Key) {
        guard values.removeValue(forKey: key) != nil else { return }
        order.removeAll { $0 == key }
    }

    mutating func removeAll() {
        values.removeAll(keepingCapacity: true)
        order.removeAll(keepingCapacity: true)
    }
}
