/// How an ``OCSPRevocationEvaluator`` asks, and what it does without an answer.
public struct OCSPOptions: Sendable {
    /// What follows where there is no answer that can be relied on: no responder's address, no network, no answer in
    /// time, or one that does not verify. An answer that says `revoked`, and one in which the responder says that it does
    /// not know the certificate, refuse in both modes.
    public enum Failure: String, Hashable, Sendable, CaseIterable {
        /// The server is refused. Whoever can cut the way to the responder can keep the app from connecting.
        case hard
        /// The server is accepted, with a notice in the verdict. Whoever can cut the way to the responder can go on using
        /// a revoked certificate. A certificate that asks for a stapled answer (must-staple) asks for hard fail, and gets
        /// it.
        case soft
    }

    /// Which certificates of the path are asked about. The anchor never is.
    public enum Scope: String, Hashable, Sendable, CaseIterable {
        /// The server's own and every authority below the anchor. Many public authorities name no responder for
        /// intermediates, which hard fail then refuses.
        case path
        /// The server's own.
        case serverCertificate
    }

    /// What follows without an answer.
    public var failure: Failure = .hard
    /// Which certificates are asked about.
    public var scope: Scope = .path
    /// The hash by which issuers are named.
    public var hash: OCSPHash = .sha1
    /// Makes fresh random bytes for each request (32 are recommended, RFC 9654). An answer must then hold them, which no
    /// answer does that was prepared in advance; without it freshness rests on the answer's dates. Default none.
    public var nonce: (@Sendable () -> [UInt8])?
    /// The time for all requests of one connection together. Keep it below the TLS deadline. Default five seconds.
    ///
    /// A certificate may name several responders. The next one is asked as soon as one fails, or after an equal part of this
    /// time; those that were asked before may still answer.
    public var timeout: Duration = .seconds(5)
    /// The age, since its `thisUpdate`, up to which an answer counts, whatever it says itself: whoever plays an old answer
    /// back hides a revocation that long. A revocation counts at any age. Whole seconds; a negative age lets no answer count.
    /// Default 14 days: public authorities may let an answer count for ten (CA/Browser Forum, Baseline Requirements, 4.9.10).
    public var maximumAge: Duration = .seconds(14 * 86_400)
    /// How many good answers are kept. Default 1,000. Up to 1,000 revocations are kept in any case, each until a newer
    /// answer says that the certificate is good.
    public var cachedAnswers = 1_000

    /// The defaults: hard fail, for the whole path.
    public init(failure: Failure = .hard, scope: Scope = .path) {
        self.failure = failure
        self.scope = scope
    }
}
