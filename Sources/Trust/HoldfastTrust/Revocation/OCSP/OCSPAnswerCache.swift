import Synchronization

/// Caches verified OCSP answers, and the revocations in verified revocation lists.
///
/// A good answer is kept until it expires. A revocation is kept until a newer good answer replaces it. The size is
/// limited, and the oldest answers of each kind are evicted first. Safe to use from any thread.
final class OCSPAnswerCache: Sendable {
    /// A certificate and the key of its issuer.
    struct Key: Hashable, Sendable {
        var certificate: CertificateDigest
        var issuerKey: SPKIDigest

        init(_ certificate: CertificateView, issuer: CertificateView) {
            self.certificate = certificate.certificateDigest
            self.issuerKey = issuer.spkiDigest
        }
    }

    private struct Storage {
        var good: ArrivalCache<Key, OCSPAnswer>
        var revoked: ArrivalCache<Key, OCSPAnswer>
    }

    /// The number of revocations to keep, independent of the capacity for good answers: forgetting a revocation would
    /// accept the server.
    ///
    /// Each revocation takes about 200 bytes. Only a certificate for a host of the app that a trusted authority signed
    /// can add one.
    static let revocations = 1_000

    private let storage: Mutex<Storage>

    init(capacity: Int) {
        storage = Mutex(
            Storage(
                good: ArrivalCache(capacity: max(0, capacity)),
                revoked: ArrivalCache(capacity: OCSPAnswerCache.revocations)))
    }

    /// Returns the cached answer about a certificate that is valid at this time, if any. If the clock went back to a
    /// time before the answer was issued, the answer does not count.
    func answer(for key: Key, at time: Timestamp) -> OCSPAnswer? {
        storage.withLock { storage in
            guard let answer = storage.revoked[key] ?? storage.good[key], time <= answer.until,
                answer.thisUpdate <= time.advanced(bySeconds: OCSPVerification.clockSkew)
            else { return nil }
            return answer
        }
    }

    /// Returns the revocation of a certificate that no newer good answer has replaced, regardless of its age and of the
    /// time. It applies when no usable answer is available.
    func revocation(for key: Key) -> OCSPAnswer? {
        storage.withLock { $0.revoked[key] }
    }

    /// Stores an answer and returns the answer that applies.
    ///
    /// - A good answer replaces an older answer. A revocation replaces any good answer.
    /// - A good answer that is not newer than a known revocation is a replay, regardless of its validity: the
    ///   revocation stays.
    /// - The status `unknown` may change at any time. It is not stored and does not replace a revocation.
    @discardableResult
    func store(_ answer: OCSPAnswer, for key: Key) -> OCSPAnswer {
        storage.withLock { storage in
            switch answer.status {
            case .revoked:
                // A replayed older revocation must not make a good answer valid that lies between both revocations.
                if let known = storage.revoked[key], known.thisUpdate > answer.thisUpdate { return known }
                storage.good.remove(key)
                storage.revoked.put(answer, for: key)
                return answer
            case .unknown:
                return storage.revoked[key] ?? answer
            case .good:
                if let known = storage.revoked[key] {
                    guard answer.thisUpdate > known.thisUpdate else { return known }
                    storage.revoked.remove(key)
                }
                if let known = storage.good[key], known.thisUpdate > answer.thisUpdate { return answer }
                storage.good.put(answer, for: key)
                return answer
            }
        }
    }
}

/// The status of a verified answer or list and the end of its validity.
struct OCSPAnswer: Hashable, Sendable {
    var status: OCSPStatus
    /// The reason for a revocation, if it is known.
    var reason: RevocationReason?
    var thisUpdate: Timestamp
    /// The last instant at which the answer is valid.
    var until: Timestamp
}
