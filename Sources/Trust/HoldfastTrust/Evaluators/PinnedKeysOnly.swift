/// The chat SDK's documented pinning: the connection passes if the key of the server's own certificate, or of a CA that
/// it is linked to by verified signatures, is one of the listed certificates' keys. Dates and revocation are not looked at.
public struct PinnedKeysOnly: Hashable, Sendable {
    /// Whether the host name has to match.
    public enum HostnameVerification: String, Hashable, Sendable, CaseIterable {
        /// For a match on a CA key; a match on the server's own key needs nothing more.
        case automatic
        /// Always.
        case always
        /// Never, as the modelled product documents it: any customer of a pinned CA can then impersonate the server.
        case never
    }

    /// The listed certificates that could be read.
    public var certificates: [CertificateView]
    /// Further pins, by hash: they match the key of a certificate that the server sends. A hash says nothing of the
    /// limits (path length, name constraints) of an authority, so for an authority's key list its certificate instead.
    public var pins: [Pin]
    /// How many listed certificates could not be read. If nothing else is listed, every connection is refused.
    public var unreadableCount: Int
    /// Whether the host name has to match.
    public var hostnameVerification: HostnameVerification

    /// Lists keys as `holdfast pin` prints them, read by ``SPKIDigest/init(_:)``. See ``pins`` for what a hash cannot say.
    public init(keys: some Sequence<SPKIDigest>, hostnameVerification: HostnameVerification = .automatic) {
        self.init(certificates: [], pins: keys.map { Pin($0) }, hostnameVerification: hostnameVerification)
    }

    /// Lists certificates.
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

/// The chat SDK's mode as an evaluator: see ``PinnedKeysOnly``. System trust takes no part.
public struct PinnedKeysOnlyEvaluator: VerdictEvaluator {
    /// The listed keys.
    public let pins: PinnedKeysOnly
    private let clock: TrustClock

    /// Lists keys.
    public init(_ pins: PinnedKeysOnly, clock: TrustClock = .system) {
        self.pins = pins
        self.clock = clock
    }

    /// Returns if the server's own key, or that of an authority it is linked to, is listed; else throws
    /// ``TrustRefusal``.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        try evaluate(trust, host: host, anchors: nil, clock: clock)
    }

    package func verdict(
        on chain: PresentedChain, for subject: TrustSubject, at time: Timestamp, anchors: TrustAnchors
    ) -> TrustVerdict {
        PinnedKeysVerification(pins: pins).evaluate(chain, for: subject, at: time)
    }
}
