import Crypto
import Synchronization

/// Remembers accepted servers for a minute, so that a burst of handshakes with the same chain is judged once.
///
/// One cache belongs to one ``TrustContext``: another policy or other anchors are another context, and start with
/// nothing. Only verdicts that permit the connection are kept, and only those of Holdfast's own synchronous checks; a
/// refusal is always judged anew. An entry lives until the first of: a minute, the end of a certificate's validity, the
/// expiry of the pins, the end of a bundle's freshness. All are forgotten when the clock goes back, the machine's roots are
/// reloaded or the policy changes.
final class VerdictCache: Sendable {
    /// Seconds that an entry lives at most.
    static let lifetime: Int64 = 60

    /// What verdicts rest on that can change under a context: the machine's roots, and the policy of a holder.
    struct Generation: Hashable, Sendable {
        var roots: UInt64
        var policy: UInt64 = 0
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
        var entries: [Key: Entry] = [:]
        var order: [Key] = []
        var latest: Timestamp?
        var generation = Generation(roots: 0)

        /// Forgets everything if what the entries rest on has changed.
        mutating func settle(at time: Timestamp, _ current: Generation) {
            if let latest, time < latest { clear() }
            if generation != current { clear() }
            generation = current
            latest = time
        }

        mutating func clear() {
            entries.removeAll(keepingCapacity: true)
            order.removeAll(keepingCapacity: true)
        }
    }

    private let capacity: Int
    private let storage = Mutex(Storage())

    init(capacity: Int = 256) {
        self.capacity = max(1, capacity)
    }

    /// The verdict on this chain for this host, if it was given within the last minute and still holds.
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

    /// Keeps a verdict, if it is one to be kept; at most until `limit`, where there is one.
    func store(
        _ verdict: TrustVerdict, on chain: ChainDigest, for subject: TrustSubject, _ generation: Generation,
        until limit: Timestamp? = nil
    ) {
        guard verdict.permitsConnection else { return }
        let time = verdict.time
        // What lies in the past already did not count for this verdict, and sets no end to it.
        let ends =
            (verdict.path?.certificates.compactMap(\.notAfter) ?? [])
            + [verdict.pinning?.expires, limit].compactMap { $0 }
        let until = ends.filter { $0 > time }.reduce(time.advanced(bySeconds: VerdictCache.lifetime), min)
        storage.withLock { storage in
            storage.settle(at: time, generation)
            let key = Key(chain: chain, host: subject.host)
            if storage.entries.updateValue(Entry(verdict: verdict, until: until), forKey: key) == nil {
                storage.order.append(key)
                if storage.order.count > capacity { storage.entries[storage.order.removeFirst()] = nil }
            }
        }
    }
}

/// Names a presented chain: the SHA-256 over every certificate's bytes in order, each behind its length, so that no two
/// chains share a name by shifting bytes from one certificate to the next.
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
