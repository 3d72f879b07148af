/// Looks up the certificates of a verified path in revocation lists (RFC 5280, 6.3.3). A synchronous function of its
/// arguments.
///
/// Rules:
///
/// - A list counts only for the certificates that it covers: those of its issuer's name (or, for an indirect list,
///   those whose distribution point names its issuer), of its kind, and of its distribution point.
/// - A list counts only if an authorized key signed it: the key of an issuer on the path that has the list's issuer
///   name, or of another presented certificate of that name that an issuer on the path certified for signing lists.
///   After a key roll-over, the list of the new key therefore counts for certificates that the old key signed.
/// - A list with the key identifier of another key neither counts nor refuses, unless a key on the path signed it. An
///   identifier alone does not exclude a list, because certificates of one key may have different identifiers.
/// - A delta list counts only together with the complete list that it extends. Without that list, only the revocations
///   in it count.
/// - A list without a number or a next update cannot be used, but a certificate in it is revoked, unless each list that
///   covers the certificate is newer.
/// - A delta list lifts a hold only. Other revocations are permanent (RFC 5280, 5.3.1).
/// - A certificate is good if usable lists cover all revocation reasons.
///
/// Deliberately not checked: name constraints and policies of a certificate that only signs lists.
struct RevocationListLookup {
    /// The result for one certificate.
    enum Status {
        /// A list contains the certificate.
        case revoked(RevocationEntry, thisUpdate: Timestamp)
        /// Usable lists cover the certificate and do not contain it.
        case good(thisUpdate: Timestamp, until: Timestamp)
        /// Usable lists cover the certificate only in part.
        case incomplete(String)
        /// The lists that cover the certificate cannot be used.
        case unusable(RevocationListError, RevocationList)
        /// No list covers the certificate.
        case none
    }

    private struct Signature: Hashable {
        var list: Int
        var key: SPKIDigest
    }

    /// A signer of lists.
    private enum Signer {
        case authorized(CertificateView)
        /// Another key signed the list.
        case foreign
        case refused(RevocationListError)
    }

    private let lists: [RevocationList]
    private let time: Timestamp
    private let checksDates: Bool
    /// The number of seconds by which the clock of an issuer may be ahead.
    private let clockSkew: Int64
    /// The presented certificates, among which are those that only sign lists.
    private let presented: [CertificateView]
    /// Whether a certificate that only signs lists needs a list that covers it.
    private let requiresLists: Bool
    /// The results of the signature checks so far.
    private var signatures: [Signature: Bool] = [:]
    /// The distribution points of the certificates so far.
    private var knownPoints: [CertificateView: [DistributionPoint]] = [:]
    /// The part of the budget that this lookup has used since the caller last took it.
    private(set) var spent = 0
    private let limit: Int

    /// The maximum number of presented certificates that are considered as signers of one list. Further ones are
    /// ignored.
    private static let maximumSigners = 4

    init(
        _ lists: [RevocationList], presented: [CertificateView], at time: Timestamp, checksDates: Bool = true,
        clockSkew: Int64 = 0, requiresLists: Bool = false, limit: Int = VerificationBudget.standard.signatureChecks
    ) {
        self.lists = lists
        self.presented = presented
        self.time = time
        self.checksDates = checksDates
        self.clockSkew = clockSkew
        self.requiresLists = requiresLists
        self.limit = limit
    }

    /// Returns the status of the certificate at an index of the path. The last certificate, the anchor, has none.
    ///
    /// Throws a finding if the budget of signature checks is exceeded.
    mutating func status(of index: Int, on path: [CertificateView]) throws(TrustFinding) -> Status {
        guard path.indices.contains(index), index + 1 < path.count else { return .none }
        return try status(of: path[index], on: path, allowsOtherSigners: true)
    }

    private mutating func status(
        of certificate: CertificateView, on path: [CertificateView], allowsOtherSigners: Bool
    ) throws(TrustFinding) -> Status {
        let points = distributionPoints(of: certificate)
        var covered = RevocationReasons()
        var (from, until) = (Timestamp(secondsSince1970: .max), Timestamp(secondsSince1970: .max))
        var unusable: Status?
        var expired: Status?
        var incomplete: (entry: RevocationEntry, thisUpdate: Timestamp)?
        var hasLoneDelta = false
        for (number, list) in lists.enumerated() {
            guard let reasons = list.covered(certificate, points: points) else { continue }
            let signer: CertificateView
            switch try self.signer(of: number, on: path, allowsOtherSigners) {
            case .authorized(let found): signer = found
            case .foreign: continue
            case .refused(let error):
                unusable = unusable ?? .unusable(error, list)
                continue
            }
            if let error = defect(of: list) {
                unusable = unusable ?? .unusable(error, list)
                guard !list.isDelta, let entry = list.entry(of: certificate) else { continue }
                if error.code == .expired { expired = .revoked(entry, thisUpdate: list.thisUpdate) }
                if error.code == .unsupported, list.content.isOnlyIncomplete,
                    incomplete.map({ $0.thisUpdate < list.thisUpdate }) ?? true
                {
                    incomplete = (entry, list.thisUpdate)
                }
                continue
            }
            if list.isDelta {
                if try isContained(list, signer) { continue }
                if let entry = list.entry(of: certificate), entry.reason != .removeFromCRL {
                    return .revoked(entry, thisUpdate: list.thisUpdate)
                }
                hasLoneDelta = true
                continue
            }
            var entry = list.entry(of: certificate)
            var (start, end) = (list.thisUpdate, list.nextUpdate ?? list.thisUpdate)
            if let delta = try newestDelta(for: list, signer) {
                if let change = delta.entry(of: certificate) { entry = change.applied(to: entry) }
                start = max(start, delta.thisUpdate)
                end = min(end, delta.nextUpdate ?? delta.thisUpdate)
            }
            if let entry { return .revoked(entry, thisUpdate: start) }
            covered.formUnion(reasons)
            (from, until) = (min(from, start), min(until, end))
        }
        if let incomplete, covered.isEmpty || incomplete.thisUpdate >= from {
            return .revoked(incomplete.entry, thisUpdate: incomplete.thisUpdate)
        }
        if covered.isSuperset(of: .all) { return .good(thisUpdate: from, until: until) }
        if let found = expired ?? unusable { return found }
        if !covered.isEmpty { return .incomplete("its lists cover only some revocation reasons") }
        if hasLoneDelta { return .incomplete("the complete list that its delta list extends is missing") }
        return .none
    }

    private mutating func distributionPoints(of certificate: CertificateView) -> [DistributionPoint] {
        if let known = knownPoints[certificate] { return known }
        let found = RevocationPointers(certificate).points
        knownPoints[certificate] = found
        return found
    }

    /// Returns whether a usable complete list of the same key includes a delta list: the delta list extends it and is
    /// applied with it, or it is not older.
    private mutating func isContained(
        _ delta: RevocationList, _ signer: CertificateView
    ) throws(TrustFinding) -> Bool {
        for (number, list) in lists.enumerated() where !list.isDelta && defect(of: list) == nil {
            guard delta.extends(list) || !list.isOlder(than: delta) && delta.hasScope(of: list) else { continue }
            if try isSigned(number, by: signer) { return true }
        }
        return false
    }

    /// Returns the newest usable delta list for a complete list. RFC 5280, 5.2.4: the same key must have signed both.
    private mutating func newestDelta(
        for list: RevocationList, _ signer: CertificateView
    ) throws(TrustFinding) -> RevocationList? {
        var newest: RevocationList?
        for (number, delta) in lists.enumerated() where delta.extends(list) && defect(of: delta) == nil {
            guard try isSigned(number, by: signer) else { continue }
            if newest?.isOlder(than: delta) ?? true { newest = delta }
        }
        return newest
    }

    private func defect(of list: RevocationList) -> RevocationListError? {
        if let defect = list.content.defects.first { return RevocationListError(.unsupported, defect) }
        guard checksDates else { return nil }
        if list.thisUpdate > time.advanced(bySeconds: clockSkew) {
            return RevocationListError(.notYetValid, "the list is dated in the future (\(list.thisUpdate))")
        }
        if let next = list.nextUpdate, time > next {
            return RevocationListError(.expired, "the list expired at \(next)")
        }
        return nil
    }

    // MARK: - Signers

    /// States that a key signed the list with this index, which an earlier lookup found.
    mutating func remember(_ key: SPKIDigest, signed index: Int) {
        signatures[Signature(list: index, key: key)] = true
    }

    /// Returns the key that signed the list with this index, if a lookup found it.
    func signer(of index: Int) -> SPKIDigest? {
        signatures.first { $0.key.list == index && $0.value }?.key.key
    }

    private mutating func signer(
        of number: Int, on path: [CertificateView], _ allowsOthers: Bool
    ) throws(TrustFinding) -> Signer {
        let list = lists[number]
        let identifier = list.content.keyIdentifier.map { list.der[$0] }
        var refusal: RevocationListError?
        func isOther(_ candidate: CertificateView) -> Bool {
            guard let identifier, let own = candidate.parsed.extensions.subjectKeyIdentifier else { return false }
            return candidate.der[own] != identifier
        }
        let own = path.dropFirst().filter { $0.parsed.subjectName == list.issuerDigest }
        // The identifier decides which certificates are tried first.
        var candidates = own.filter { !isOther($0) } + own.filter(isOther)
        let ownCount = candidates.count
        if allowsOthers {
            let others = presented.filter { !path.contains($0) && !isOther($0) && isListSigner($0, of: list) }
            candidates += others.prefix(RevocationListLookup.maximumSigners)
        }
        for (index, candidate) in candidates.enumerated() {
            if index >= ownCount {
                guard try isAuthorized(candidate, on: path) else { continue }
            }
            let obstacle = RevocationListLookup.obstacle(to: candidate, signing: list)
            if obstacle == nil, try isSigned(number, by: candidate) { return .authorized(candidate) }
            // Another key's list is not an unusable list of this key.
            if isOther(candidate) { continue }
            refusal =
                obstacle ?? refusal
                ?? RevocationListError(.badSignature, "its signature was not made by the issuer")
        }
        return refusal.map { .refused($0) } ?? .foreign
    }

    /// Returns why a signature of this certificate's key would not make a list usable, or `nil` if it would.
    private static func obstacle(
        to signer: CertificateView, signing list: RevocationList
    ) -> RevocationListError? {
        // RFC 5280, 6.3.3 (f): if the key usage is present, it must allow signing lists.
        if let usage = signer.parsed.extensions.keyUsage, !usage.crlSign {
            return RevocationListError(.badSigner, "the issuer's key usage does not allow signing lists")
        }
        return list.signatureAlgorithm.weakness.map { RevocationListError(.badSignature, $0) }
    }

    /// Returns whether a presented certificate may sign lists under the name of a list's issuer.
    private func isListSigner(_ candidate: CertificateView, of list: RevocationList) -> Bool {
        let parsed = candidate.parsed
        guard parsed.subjectName == list.issuerDigest, candidate.defects.isEmpty,
            parsed.extensions.unhandledCritical.isEmpty, parsed.extensions.keyUsage?.crlSign == true,
            parsed.keyAlgorithm.weakness == nil, parsed.signatureAlgorithm.weakness == nil,
            let start = candidate.notBefore, let end = candidate.notAfter
        else { return false }
        return !checksDates || (start <= time && time <= end)
    }

    /// Returns whether an issuer on the path certified a signer of lists and did not revoke it.
    private mutating func isAuthorized(
        _ signer: CertificateView, on path: [CertificateView]
    ) throws(TrustFinding) -> Bool {
        for issuer in path.dropFirst() where issuer.parsed.subjectName == signer.parsed.issuerName {
            try spend(issuer)
            guard SignatureCheck.isValid(signer.parsed, signedBy: issuer.parsed) else { continue }
            switch try status(of: signer, on: path, allowsOtherSigners: false) {
            case .revoked, .unusable, .incomplete: return false
            case .good: return true
            case .none: return !requiresLists
            }
        }
        return false
    }

    private mutating func isSigned(_ number: Int, by signer: CertificateView) throws(TrustFinding) -> Bool {
        let key = Signature(list: number, key: signer.spkiDigest)
        if let known = signatures[key] { return known }
        try spend(signer)
        let list = lists[number]
        let isValid = SignatureCheck.isValid(
            message: list.der[list.content.tbs], signature: list.der[list.content.signature], list.signatureAlgorithm,
            key: signer.parsed)
        signatures[key] = isValid
        return isValid
    }

    private mutating func spend(_ signer: CertificateView) throws(TrustFinding) {
        spent += signer.parsed.keyAlgorithm.signatureChecks
        guard spent <= limit else { throw .overBudget("signature checks", limit) }
    }
}

extension RevocationList {
    /// Returns whether two lists have the same issuer and cover the same certificates.
    func hasScope(of other: RevocationList) -> Bool {
        issuerDigest == other.issuerDigest
            && content.scopeBytes.map { der[$0] } == other.content.scopeBytes.map { other.der[$0] }
    }
}
