import Synchronization

/// Keeps verified answers until they are due to be replaced. Bounded; the oldest make room. May be used from any thread.
final class OCSPAnswerCache: Sendable {
    /// A certificate and the key that vouches for it.
    struct Key: Hashable, Sendable {
        var certificate: SPKIDigest
        var issuerKey: SPKIDigest

        init(_ certificate: CertificateView, issuer: CertificateView) {
            self.certificate = certificate.certificateDigest
            self.issuerKey = issuer.spkiDigest
        }
    }

    private struct Storage {
        var answers: [Key: OCSPAnswer] = [:]
        var order: [Key] = []
    }

    private let capacity: Int
    private let storage = Mutex(Storage())

    init(capacity: Int) {
        self.capacity = max(0, capacity)
    }

    /// The answer about a certificate, if there is one that counts at this time. A clock that went back behind the
    /// answer's beginning makes it count no more.
    func answer(for key: Key, at time: Timestamp) -> OCSPAnswer? {
        storage.withLock { storage in
            guard let answer = storage.answers[key], time <= answer.until,
                answer.thisUpdate <= time.advanced(bySeconds: OCSPVerification.clockSkew)
            else { return nil }
            return answer
        }
    }

    /// Keeps an answer in the place of an older one; a revocation in the place of any. What the responder does not know may
    /// be known in a moment, and is not kept.
    ///
    /// Returns the answer that counts: a good one that is not newer than a revocation already seen is that of somebody who
    /// plays it back, however long it says that it is good.
    @discardableResult
    func store(_ answer: OCSPAnswer, for key: Key) -> OCSPAnswer {
        guard capacity > 0, answer.status != .unknown else { return answer }
        return storage.withLock { storage in
            if let known = storage.answers[key], answer.status == .good {
                if case .revoked = known.status, known.thisUpdate >= answer.thisUpdate { return known }
                if known.thisUpdate > answer.thisUpdate { return answer }
            }
            if storage.answers.updateValue(answer, forKey: key) == nil {
                storage.order.append(key)
                if storage.order.count > capacity { storage.answers[storage.order.removeFirst()] = nil }
            }
            return answer
        }
    }
}
