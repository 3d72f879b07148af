/// Options of a ``RevocationEvaluator``.
public struct RevocationOptions: Sendable {
    /// What happens if there is neither a usable OCSP answer nor a usable list. The modes are those of OCSP.
    ///
    /// A revocation refuses the server in both modes.
    public var failure: OCSPOptions.Failure = .hard
    /// Which certificates are checked. The anchor is never checked.
    public var scope: OCSPOptions.Scope = .path
    /// Whether short-lived server certificates are accepted without a check, with the notice
    /// ``TrustFinding/Code-swift.struct/revocationExempt``. `true` by default.
    ///
    /// The rule is that of the CA/Browser Forum (Baseline Requirements, 1.6.1, "short-lived subscriber certificate"). A
    /// validity that begins on 2026-03-15 or later has at most 7 days. One that begins on 2024-03-15 or later has at
    /// most 10 days. Authorities need not revoke such certificates. A known revocation still refuses the server, and a
    /// certificate that requires a stapled answer is not exempt.
    public var exemptsShortLived = true
    /// Whether revocation lists are used before OCSP responders are asked. `false` by default, because a list is far
    /// larger than an OCSP answer. With lists, the authority does not learn which server is checked.
    public var prefersLists = false
    /// The total time for all requests of one connection. Set it to less than the TLS deadline. The default is eight
    /// seconds.
    ///
    /// Each source (responder or distribution point) of a certificate gets an equal part before the next one is also
    /// asked.
    public var timeout: Duration = .seconds(8)
    /// The hash algorithm that identifies issuers in OCSP requests.
    public var hash: OCSPHash = .sha1
    /// Returns fresh random bytes for each OCSP request. See ``OCSPOptions/nonce``.
    public var nonce: (@Sendable () -> [UInt8])?
    /// The maximum age of an OCSP answer. See ``OCSPOptions/maximumAge``. Does not apply to lists: lists of authorities
    /// are valid for up to twelve months.
    ///
    /// - Error: `OCSPError.Code.expired`
    public var maximumAnswerAge: Duration = .seconds(14 * 86_400)
    /// The number of good OCSP answers to cache. In addition, up to 1,000 revocations are kept.
    public var cachedAnswers = 1_000
    /// The maximum size of a list in bytes. The default is 16 MiB; the largest public lists have about ten megabytes.
    /// Values above ``RevocationList/maximumSize`` have no effect.
    ///
    /// - Error: `RevocationListError.Code.tooLarge`
    public var maximumListSize = 16 << 20
    /// The number of lists to cache.
    public var cachedLists = 100
    /// The total size of the cached lists in bytes. The default is 64 MiB. A larger list is fetched for each check.
    ///
    /// A list takes its own size, and at most half of it for the table of its entries.
    public var cachedListBytes = 64 << 20
    /// The age of a cached list after which it is fetched again. The default is 12 hours.
    ///
    /// If the list cannot be fetched, the cached list applies until its `nextUpdate`. Authorities publish a new list
    /// within 24 hours of a revocation (Baseline Requirements, 4.9.7).
    public var listRefreshInterval: Duration = .seconds(12 * 3_600)
    /// The time for which a list that could not be fetched or used is not fetched again. The default is 30 seconds;
    /// zero fetches for each check.
    ///
    /// An attacker on the network path could otherwise answer each connection's request with an invalid list of the
    /// maximum size, and each would be read. Within the time, ``failure`` decides without a request. In hard fail, a
    /// server therefore stays refused for this time although its list can be fetched again. In soft fail, an attacker
    /// who leaves the network path has prevented the checks of this time.
    ///
    /// At most 1,000 URLs that failed, and 1,000 chains for which a list could not be used, are remembered. A request
    /// that is cancelled, also by ``timeout``, is not remembered.
    public var listFailureInterval: Duration = .seconds(30)
    /// Whether the verdict has a notice ``TrustFinding/Code-swift.struct/notRevoked`` for each certificate that was
    /// checked and not revoked. `false` by default.
    public var reportsGood = false

    /// Creates options, by default with hard fail for the whole path.
    public init(failure: OCSPOptions.Failure = .hard, scope: OCSPOptions.Scope = .path) {
        self.failure = failure
        self.scope = scope
    }
}

/// The rule of the CA/Browser Forum for short-lived certificates.
enum ShortLivedRule {
    /// The begin of the period with a limit of ten days, 2024-03-15, and with seven days, 2026-03-15.
    private static let tenDays = Timestamp(secondsSince1970: 1_710_460_800)
    private static let sevenDays = Timestamp(secondsSince1970: 1_773_532_800)

    /// Returns why a certificate is exempt, or `nil` if it is not.
    static func reason(for certificate: CertificateView) -> String? {
        guard !certificate.isCertificateAuthority, let start = certificate.notBefore, let end = certificate.notAfter,
            start >= tenDays, end >= start
        else { return nil }
        let limit: Int64 = start >= sevenDays ? 7 : 10
        // The last second belongs to the validity (RFC 5280, 4.1.2.5).
        let (length, overflow) = end.secondsSince1970.subtractingReportingOverflow(start.secondsSince1970)
        guard !overflow, length < limit * 86_400 else { return nil }
        return "it is valid for at most \(limit) days"
    }
}
