public import Foundation
public import HoldfastTrust

/// The system verification, then a pinned public key: one key of the verified path must be among them.
public struct PublicKeysTrustEvaluator: FullyVerifying {
    private let keys: [PublicKeyInfo]
    private let digests: [SPKIDigest]
    private let verification: DocumentedVerification
    private let hostnameVerification: PinnedKeysOnly.HostnameVerification

    /// Pins keys.
    ///
    /// - Parameters:
    ///   - keys: The keys; by default those of the certificates in the app's bundle. None at all refuses every server.
    ///   - performDefaultValidation: Whether a valid path is needed.
    ///   - validateHost: Whether it has to be for the host.
    ///   - hostnameVerification: Whether the host counts where both of these are off. By default it does for a match on an
    ///     authority; `.never` is what Alamofire does.
    ///   - anchors: Where paths end; the machine's roots by default.
    ///   - clock: Where the time comes from.
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

    /// Pins keys as `holdfast pin` prints them, read by `SPKIDigest("sha256/…")`. The keys themselves are unknown, so an error has an
    /// empty list of pinned keys. An empty list refuses every server.
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

    /// Throws ``AFError`` with `noPublicKeysFound`, `defaultEvaluationFailed`, `hostValidationFailed` or
    /// `publicKeyPinningFailed`.
    public func evaluate(_ trust: SecTrust, forHost host: String) throws {
        let trust = ServerTrust(trust)
        guard !digests.isEmpty else { throw AFError.serverTrustEvaluationFailed(reason: .noPublicKeysFound) }
        let canonical = try verification.host(host, trust)
        let pins = digests.map { Pin($0) }
        let path =
            try verification.path(of: trust, for: canonical)
            ?? verification.linkedPath(
                of: trust, for: canonical,
                to: PinnedKeysOnly(certificates: [], pins: pins, hostnameVerification: hostnameVerification))
        guard let path, !Set(path.hashes).isDisjoint(with: digests) else {
            throw AFError.serverTrustEvaluationFailed(
                reason: .publicKeyPinningFailed(
                    host: canonical.text, trust: trust, pinnedKeys: keys,
                    serverKeys: trust.presented.certificates.map { PublicKeyInfo($0) }))
        }
    }

    var verifiesFully: Bool { verification.isComplete }
}
