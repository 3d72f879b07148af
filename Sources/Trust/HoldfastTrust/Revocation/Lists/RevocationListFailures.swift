import HoldfastBase
import Synchronization

/// Remembers for a limited time which revocation lists could not be fetched or used, so that each new connection does
/// not fetch and read the same unusable list again. Safe to use from any thread.
///
/// A failure of the fetch, and bytes that are not a list, are remembered for the URL. Whether a list covers a
/// certificate and who may sign it depends on the path and on the presented certificates. This kind of failure is
/// therefore remembered for the URL and these certificates. Otherwise, a server with a certificate that names the list
/// of another authority could prevent the check of that authority's certificates.
///
/// The number of failures of each kind is limited; the oldest are evicted first.
final class RevocationListFailures: Sendable {
    /// The certificates for which a list was used.
    struct Use: Hashable, Sendable {
        var url: String
        /// The path from the certificate on, and the presented certificates.
        var path: ChainDigest
        var presented: ChainDigest

        init(_ link: RevocationLink, _ url: String) {
            self.url = url
            path = ChainDigest(link.path.dropFirst(link.index).map(\.der))
            presented = ChainDigest(link.presented.map(\.der))
        }
    }

    private struct Failure {
        var error: RevocationListError
        var time: Timestamp

        init(_ error: RevocationListError, at time: Timestamp) {
            self.error = RevocationListError(error.code, Printable.text(error.reason))
            self.time = time
        }
    }

    private struct Storage {
        var fetches: ArrivalCache<String, Failure>
        var uses: ArrivalCache<Use, Failure>
    }

    /// The number of failures of each kind that are remembered. A failure takes a few kilobytes: a URL has at most
    /// 2,048 bytes, and a reason is cut at 512 characters.
    static let remembered = 1_000

    private let lifetime: Int64
    private let storage: Mutex<Storage>

    /// Creates an empty memory. Failures are remembered for this number of seconds; 0 remembers none.
    init(lifetime: Int64, capacity: Int = RevocationListFailures.remembered) {
        self.lifetime = lifetime
        storage = Mutex(
            Storage(fetches: ArrivalCache(capacity: capacity), uses: ArrivalCache(capacity: capacity)))
    }

    /// Returns why there is no usable list at a URL, if this was found out within the lifetime before this time.
    func failure(of use: Use, at time: Timestamp) -> RevocationListError? {
        guard lifetime > 0 else { return nil }
        let known = storage.withLock { storage in
            [storage.fetches[use.url], storage.uses[use]].compactMap(\.self).first { isInForce($0, at: time) }
        }
        guard let known else { return nil }
        let end = known.time.advanced(bySeconds: lifetime)
        return RevocationListError(known.error.code, "\(known.error.reason); the next attempt is at \(end)")
    }

    /// Remembers that the bytes at a URL could not be fetched, or are not a list.
    func remember(_ error: RevocationListError, fetching url: String, at time: Timestamp) {
        guard lifetime > 0 else { return }
        storage.withLock { storage in
            storage.fetches.remove(url)
            storage.fetches.put(Failure(error, at: time), for: url)
        }
    }

    /// Remembers that a list could not be used for these certificates.
    func remember(_ error: RevocationListError, of use: Use, at time: Timestamp) {
        guard lifetime > 0 else { return }
        storage.withLock { storage in
            storage.uses.remove(use)
            storage.uses.put(Failure(error, at: time), for: use)
        }
    }

    /// A failure from the future is not in force: the clock went back.
    private func isInForce(_ failure: Failure, at time: Timestamp) -> Bool {
        failure.time <= time && time < failure.time.advanced(bySeconds: lifetime)
    }
}
