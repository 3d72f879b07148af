import HoldfastBase
import Synchronization

/// Fetches the revocation lists at the distribution points of certificates, and looks certificates up in them.
///
/// Only a list that covers the certificate and that an authorized key signed is cached. A cached list applies until its
/// `nextUpdate`. After the refresh interval it is fetched again; if this fails, the cached list still applies. A URL
/// that failed is not asked again for a limited time.
///
/// Delta lists at `freshestCRL` are not fetched: the complete list applies until its `nextUpdate`.
struct RevocationListSource: Sendable {
    var requester: any RevocationListRequester
    /// The maximum size of a list in bytes.
    var maximumSize: Int
    /// The age since the fetch, in seconds, after which a list is fetched again.
    var refreshInterval: Int64
    var cache: RevocationListCache
    /// The lists that could not be fetched or used a short time ago.
    var failures: RevocationListFailures
    /// Remembers the revocations in lists.
    var memory: OCSPAnswerCache
    /// Concurrent requests for one URL share the parsed list.
    var flights = SingleFlight<String, RevocationList>()

    /// The lists that were found for one certificate so far. Several distribution points may each cover some reasons.
    private final class Collection: Sendable {
        private let entries = Mutex<[RevocationListCache.Entry]>([])

        func add(_ entry: RevocationListCache.Entry) -> [RevocationListCache.Entry] {
            entries.withLock { entries in
                entries.append(entry)
                return entries
            }
        }
    }

    /// Returns one attempt for each distribution point that the certificate names.
    func attempts(about link: RevocationLink, at time: Timestamp) -> [RevocationAttempts.Attempt] {
        let collection = Collection()
        return link.pointers.listAddresses.map { url in
            { await outcome(of: link, url, collection, at: time) }
        }
    }

    private func outcome(
        of link: RevocationLink, _ url: String, _ collection: Collection, at time: Timestamp
    ) async -> RevocationOutcome {
        do throws(RevocationListError) {
            let entries = collection.add(try await entry(for: link, url, at: time))
            return try outcome(of: link, in: entries, url, at: time)
        } catch {
            return .unavailable(RevocationFailure(error))
        }
    }

    private func outcome(
        of link: RevocationLink, in entries: [RevocationListCache.Entry], _ url: String, at time: Timestamp
    ) throws(RevocationListError) -> RevocationOutcome {
        let answer: OCSPAnswer
        switch try lookUp(link, entries, at: time).status {
        case .revoked(let entry, let thisUpdate):
            let end = entries.compactMap(\.list.nextUpdate).min() ?? time
            answer = OCSPAnswer(
                status: .revoked(entry.time), reason: entry.reason, thisUpdate: thisUpdate, until: end)
        case .good(let thisUpdate, let until):
            // The list itself is cached, so the answer is not valid for longer than this check.
            answer = OCSPAnswer(status: .good, thisUpdate: thisUpdate, until: min(time, until))
        case .incomplete(let reason): throw RevocationListError(.incomplete, reason)
        case .unusable(let error, _): throw error
        case .none: throw Self.outOfScope
        }
        return RevocationOutcome(
            memory.store(answer, for: link.key), source: "the revocation list at \(Printable.text(url)) reports this")
    }

    private static let outOfScope = RevocationListError(
        .outOfScope, "the list at the distribution point does not cover the certificate, or another key signed it")

    // MARK: - Lists

    /// Returns the verified list at a URL, from the cache or from the network.
    private func entry(
        for link: RevocationLink, _ url: String, at time: Timestamp
    ) async throws(RevocationListError) -> RevocationListCache.Entry {
        let key = RevocationListCache.Key(url: url, issuerKey: link.issuer.spkiDigest)
        let known = cache.entry(for: key, at: time)
        if let known, known.fetched <= time, time < known.fetched.advanced(bySeconds: refreshInterval) { return known }
        let use = RevocationListFailures.Use(link, url)
        do throws(RevocationListError) {
            if let failure = failures.failure(of: use, at: time) { throw failure }
            let list = try await fetch(url, at: time)
            do throws(RevocationListError) {
                if cache.isReplay(list, for: key) {
                    throw RevocationListError(.replayed, "the list is older than one that was used before")
                }
                let entry = try verified(list, for: link, at: time)
                cache.store(entry, for: key)
                return entry
            } catch {
                failures.remember(error, of: use, at: time)
                throw error
            }
        } catch {
            if let known { return known }
            throw error
        }
    }

    private func fetch(_ url: String, at time: Timestamp) async throws(RevocationListError) -> RevocationList {
        let failure: RevocationListError
        do {
            return try await flights.value(for: url) { [requester, maximumSize] in
                let bytes = try await requester.revocationList(at: url, upTo: maximumSize)
                guard bytes.count <= maximumSize else {
                    throw RevocationListError(.tooLarge, "the list is larger than \(maximumSize) bytes")
                }
                do throws(CertificateError) {
                    return try RevocationList(der: bytes)
                } catch {
                    throw RevocationListError(.malformed, String(error.reason.trimmedFullStop))
                }
            }
        } catch is CancellationError {
            // A cancelled fetch says nothing about the server of the list, so it is not remembered.
            throw RevocationListError(.unreachable, "the request was cancelled")
        } catch let error as RevocationListError {
            failure = error
        } catch {
            failure = RevocationListError(.unreachable, Printable.text("\(error)"))
        }
        failures.remember(failure, fetching: url, at: time)
        throw failure
    }

    /// Returns the list as an entry of the cache if it covers the certificate and can be used.
    private func verified(
        _ list: RevocationList, for link: RevocationLink, at time: Timestamp
    ) throws(RevocationListError) -> RevocationListCache.Entry {
        let (status, signer) = try lookUp(link, [list], known: [], at: time)
        switch status {
        case .unusable(let error, _): throw error
        case .none: throw Self.outOfScope
        case .incomplete(let reason) where list.isDelta: throw RevocationListError(.incomplete, reason)
        case .revoked, .good, .incomplete: break
        }
        guard let signer else { throw Self.outOfScope }
        return RevocationListCache.Entry(list: list, signer: signer, fetched: time)
    }

    private func lookUp(
        _ link: RevocationLink, _ entries: [RevocationListCache.Entry], at time: Timestamp
    ) throws(RevocationListError) -> (status: RevocationListLookup.Status, signer: SPKIDigest?) {
        try lookUp(link, entries.map(\.list), known: entries.map(\.signer), at: time)
    }

    private func lookUp(
        _ link: RevocationLink, _ lists: [RevocationList], known: [SPKIDigest], at time: Timestamp
    ) throws(RevocationListError) -> (status: RevocationListLookup.Status, signer: SPKIDigest?) {
        var lookup = RevocationListLookup(
            lists, presented: link.presented, at: time, clockSkew: OCSPVerification.clockSkew)
        for (index, key) in known.enumerated() { lookup.remember(key, signed: index) }
        do throws(TrustFinding) {
            let status = try lookup.status(of: link.index, on: link.path)
            return (status, lookup.signer(of: 0))
        } catch {
            throw RevocationListError(.unsupported, String(error.reason.trimmedFullStop))
        }
    }
}

extension StringProtocol {
    /// The text without a full stop at its end.
    fileprivate var trimmedFullStop: SubSequence { hasSuffix(".") ? dropLast() : self[startIndex...] }
}
