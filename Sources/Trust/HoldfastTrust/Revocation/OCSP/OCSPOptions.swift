/// Options of an ``OCSPRevocationEvaluator``.
public struct OCSPOptions: Sendable {
    /// What happens if there is no usable answer: no responder address, no network, no answer in time, or an answer
    /// that fails verification.
    ///
    /// An answer with the status `revoked` or `unknown` refuses the server in both modes.
    public enum Failure: String, Hashable, Sendable, CaseIterable {
        /// Refuses the server. An attacker who blocks the connection to the responder can prevent the app from
        /// connecting.
        case hard
        /// Accepts the server and adds a notice to the verdict. An attacker who blocks the connection to the responder
        /// can continue to use a revoked certificate.
        ///
        /// A certificate that requires a stapled answer (must-staple) is always handled as in hard fail.
        case soft
    }

    /// Which certificates of the path are checked. The anchor is never checked.
    public enum Scope: String, Hashable, Sendable, CaseIterable {
        /// The server's certificate and every authority below the anchor. Many public authorities name no responder for
        /// intermediates, which hard fail then refuses.
        case path
        /// Only the server's certificate.
        case serverCertificate
    }

    /// What happens without a usable answer.
    public var failure: Failure = .hard
    /// Which certificates are checked.
    public var scope: Scope = .path
    /// The hash algorithm that identifies issuers in requests.
    public var hash: OCSPHash = .sha1
    /// Returns fresh random bytes for each request. RFC 9654 recommends 32 bytes. The default is `nil`.
    ///
    /// With a nonce, an answer must contain it, which excludes all answers that were produced in advance. Without a
    /// nonce, only the dates of the answer prove that it is recent.
    public var nonce: (@Sendable () -> [UInt8])?
    /// The total time for all requests of one connection. Set it to less than the TLS deadline. The default is five
    /// seconds.
    ///
    /// A certificate may name several responders. The next one is queried as soon as one fails, or after an equal part
    /// of this time. Responders queried earlier may still answer.
    public var timeout: Duration = .seconds(5)
    /// The maximum age of an answer since its `thisUpdate`, regardless of its own validity. It limits how long a
    /// replayed old answer can hide a revocation.
    ///
    /// A revocation is valid at any age. The value counts in whole seconds; with a negative value no answer is valid.
    /// The default is 14 days, because public authorities may issue answers that are valid for ten days (CA/Browser
    /// Forum, Baseline Requirements, 4.9.10).
    ///
    /// - Error: `OCSPError.Code.expired`
    public var maximumAge: Duration = .seconds(14 * 86_400)
    /// The number of good answers to cache. The default is 1,000.
    ///
    /// In addition, up to 1,000 revocations are kept, each until a newer answer reports the certificate as good.
    public var cachedAnswers = 1_000

    /// Creates options, by default with hard fail for the whole path.
    public init(failure: Failure = .hard, scope: Scope = .path) {
        self.failure = failure
        self.scope = scope
    }
}
