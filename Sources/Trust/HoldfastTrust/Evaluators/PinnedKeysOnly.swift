/// The pinning mode that the chat SDK documents.
///
/// A connection is accepted if a listed certificate has the key of the server's own certificate, or the key of a CA
/// that the server's certificate is linked to by verified signatures. Dates and revocation are not checked.
public struct PinnedKeysOnly: Hashable, Sendable {
    /// Whether the host name must match.
    public enum HostnameVerification: String, Hashable, Sendable, CaseIterable {
        /// The host name must match if a CA key matches. It is not checked if the server's own key matches.
        case automatic
        /// The host name must always match.
        case always
        /// The host name is not checked, as the modeled product documents it. Any customer of a pinned CA can then
        /// impersonate the server.
        case never
    }

    /// The listed certificates that could be read.
    public var certificates: [CertificateView]
    /// Additional pins, which match the key of a certificate that the server sends. A hash does not contain the limits
    /// of a CA (path length, name constraints), so list a CA by its certificate instead.
    public var pins: [Pin]
    /// The number of listed certificates that could not be read. If nothing else is listed, every connection is
    /// refused.
    public var unreadableCount: Int
    /// Whether the host name must match.
    public var hostnameVerification: HostnameVerification

    /// Creates a list of keys as printed by `holdfast pin` and read by ``SPKIDigest/init(_:)``. See ``pins`` for the
    /// limits of hashes.
    public init(keys: some Sequence<SPKIDigest>, hostnameVerification: HostnameVerification = .automatic) {
        self.init(certificates: [], pins: keys.map { Pin($0) }, hostnameVerification: hostnameVerification)
    }

    /// Creates a list of certificates.
    public init(
        certificates: [CertificateView], pins: [Pin] = [], unreadableCount: Int = 0,
        hostnameVerification: HostnameVerification = .automatic
    ) {
        self.certificates = certificates
        self.pins = pins
        self.unreadableCount = unreadableCount
        self.hostnameVerification = hostnameVerification
    }
}

/// An evaluator for the pinning mode of the chat SDK: see ``PinnedKeysOnly``. Does not use system trust.
public struct PinnedKeysOnlyEvaluator: VerdictEvaluator {
    /// The listed keys.
    public let pins: PinnedKeysOnly
    private let clock: TrustClock

    /// Creates an evaluator.
    public init(_ pins: PinnedKeysOnly, clock: TrustClock = .system) {
        self.pins = pins
        self.clock = clock
    }

    /// Returns if the key of the server, or the key of a CA that the server is linked to, is listed.
    ///
    /// - Throws: ``TrustRefusal`` otherwise.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        try evaluate(trust, host: host, anchors: nil, clock: clock)
    }

    package func verdict(
        on chain: PresentedChain, for subject: TrustSubject, at time: Timestamp, by engine: TrustEngine
    ) -> TrustVerdict {
        PinnedKeysVerification(pins: pins).evaluate(chain, for: subject, at: time)
    }
}
