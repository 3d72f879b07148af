public import Foundation
public import HoldfastTrust

/// An evaluator that performs the system verification and then requires a pinned public key on the verified path.
public struct PublicKeysTrustEvaluator: FullyVerifying {
    private let keys: [PublicKeyInfo]
    private let digests: [SPKIDigest]
    let verification: DocumentedVerification
    private let hostnameVerification: PinnedKeysOnly.HostnameVerification

    /// Pins keys.
    ///
    /// - Parameters:
    ///   - keys: The pinned keys; by default those of the certificates in the app's bundle. An empty list refuses every
    ///     server.
    ///   - performDefaultValidation: Whether a valid path is required.
    ///   - validateHost: Whether the path must be valid for the host.
    ///   - hostnameVerification: Whether the host is checked if both of these are off. By default it is checked when an
    ///     authority's key matches; `.never` corresponds to Alamofire.
    ///   - anchors: The anchors of paths; the machine's roots by default.
    ///   - clock: The clock for validity checks.
    public init(
        keys: [PublicKeyInfo] = Bundle.main.af.publicKeys, performDefaultValidation: Bool = true,
        validateHost: Bool = true, hostnameVerification: PinnedKeysOnly.HostnameVerification = .automatic,
        anchors: TrustAnchors? = nil, clock: TrustClock = .system
    ) {
        self.keys = keys
        self.digests = keys.map(\.digest)
        self.hostnameVerification = hostnameVerification
        verification = DocumentedVerification(
            checksPath: performDefaultValidation, checksHost: validateHost, anchors: anchors, clock: clock)
    }

    /// Pins keys by digest, as printed by `holdfast pin` and read by `SPKIDigest("sha256/…")`. The keys themselves
    /// are unknown, so errors contain an empty list of pinned keys. An empty list of pins refuses every server.
    public init(
        pins: [SPKIDigest], performDefaultValidation: Bool = true, validateHost: Bool = true,
        hostnameVerification: PinnedKeysOnly.HostnameVerification = .automatic, anchors: TrustAnchors? = nil,
        clock: TrustClock = .system
    ) {
        self.keys = []
        self.digests = pins
        self.hostnameVerification = hostnameVerification
        verification = DocumentedVerification(
            checksPath: performDefaultValidation, checksHost: validateHost, anchors: anchors, clock: clock)
    }

    /// Evaluates a server. Throws ``AFError`` with `noPublicKeysFound`, `defaultEvaluationFailed`,
    /// `hostValidationFailed` or `publicKeyPinningFailed`.
    public func evaluate(_ trust: SecTrust, forHost host: String) throws {
        let trust = ServerTrust(trust)
        guard !digests.isEmpty else { throw AFError.serverTrustEvaluationFailed(reason: .noPublicKeysFound) }
        let canonical = try verification.host(host, trust)
        let pins = digests.map { Pin($0) }
        let path = try verification.path(
            of: trust, for: canonical,
            orLinkedTo: PinnedKeysOnly(certificates: [], pins: pins, hostnameVerification: hostnameVerification))
        guard let path, !Set(path.hashes).isDisjoint(with: digests) else {
            throw AFError.serverTrustEvaluationFailed(
                reason: .publicKeyPinningFailed(
                    host: canonical.text, trust: trust, pinnedKeys: keys,
                    serverKeys: trust.presented.certificates.map { PublicKeyInfo($0) }))
        }
    }
}
