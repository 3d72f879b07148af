import Synchronization

/// Keeps verified answers: a good one until it is due to be replaced, a revocation until a newer good answer undoes it.
/// Bounded; the oldest of a kind make room. May be used from any thread.
final class OCSPAnswerCache: Sendable {
    /// A certificate and the key that vouches for it.
    struct Key: Hashable, Sendable {
        var certificate: CertificateDigest
        var issuerKey: SPKIDigest

        init(_ certificate: CertificateView, issuer: CertificateView) {
            self.certificate = certificate.certificateDigest
            self.issuerKey = issuer.spkiDigest
        }
    }

    /// Answers in the order in which they came, as many as there is room for.
    private struct Shelf {
        let capacity: Int
        private var answers: [Key: OCSPAnswer] = [:]
        private var order: [Key] = []

        init(capacity: Int) { self.capacity = capacity }

        subscript(key: Key) -> OCSPAnswer? { answers[key] }

        mutating func put(_ answer: OCSPAnswer, for key: Key) {
            guard capacity > 0 else { return }
            if answers.updateValue(answer, forKey: key) == nil {
                order.append(key)
                if order.count > capacity { answers[order.removeFirst()] = nil }
            }
        }

        mutating func remove(_ key: Key) {
            guard answers.removeValue(forKey: key) != nil else { return }
            order.removeAll { $0 == key }
        }
    }

    private struct Storage {
        var good: Shelf
        var revoked: Shelf
    }

    /// How many revocations are kept, whatever the capacity for good answers: to forget one lets a server in. One has about
    /// 200 bytes. It takes a certificate for one of the app's hosts, signed by a trusted authority, to add one.
    static let revocations = 1_000

    private let storage: Mutex<Storage>

    init(capacity: Int) {
        storage = Mutex(
            Storage(
                good: Shelf(capacity: max(0, capacity)), revoked: Shelf(capacity: OCSPAnswerCache.revocations)))
    }

    /// The answer about a certificate that makes a request unnecessary, if there is one at this time. A clock that went back
    /// behind the answer's beginning makes it count no more.
    func answer(for key: Key, at time: Timestamp) -> OCSPAnswer? {
        storage.withLock { storage in
            guard let answer = storage.revoked[key] ?? storage.good[key], time <= answer.until,
                answer.thisUpdate <= time.advanced(bySeconds: OCSPVerification.clockSkew)
            else { return nil }
            return answer
        }
    }

    /// The revocation of a certificate that no newer good answer has undone, however old it is and whatever the time: what
    /// counts where there is no answer that can be relied on.
    func revocation(for key: Key) -> OCSPAnswer? {
        storage.withLock { $0.revoked[key] }
    }

    /// Keeps an answer in the place of an older one; a revocation in the place of any good one. What the responder does not know may
    /// be known in a moment, and is not kept.
    ///
    /// Returns the answer that counts: a good one that is not newer than a revocation already seen is that of somebody who
    /// plays it back, however long it says that it is good, and a responder that no longer knows the certificate undoes
    /// nothing.
    @discardableResult
    func store(_ answer: OCSPAnswer, for key: Key) -> OCSPAnswer {
        storage.withLock { storage in
            switch answer.status {
            case .revoked:
                // An older revocation that is played back must not let a good answer between both count.
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

/// What an answer that was verified says, and until when.
struct OCSPAnswer: Hashable, Sendable {
    var status: OCSPStatus
    var thisUpdate: Timestamp
    /// The last instant at which the answer counts.
    var until: Timestamp
}
