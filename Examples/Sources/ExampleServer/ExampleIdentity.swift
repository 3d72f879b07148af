import HoldfastTestSupport
public import HoldfastTrust

/// Certificates for one run: the server's, its root, and a policy with right or wrong pins.
public struct ExampleIdentity: Sendable {
    /// The server's chain in DER, its own certificate first.
    public let chain: [[UInt8]]
    /// The server's private key.
    public let privateKeyPEM: String
    /// The hash of the server's key, for pins.
    public let key: SPKIDigest
    /// The root certificate.
    public let root: CertificateView

    /// Mints certificates that are valid now. The server's is for `localhost` and 127.0.0.1.
    public init() throws {
        let factory = CertificateFactory(now: TrustClock.system.now())
        let authority = try factory.authority("Example root")
        let leaf = try factory.leaf(["localhost"], ipAddresses: ["127.0.0.1"], signedBy: authority)
        (chain, privateKeyPEM, key, root) = (leaf.chain, leaf.privateKeyPEM, leaf.spkiDigest, authority.view)
    }

    /// Returns a context that trusts the root. It pins the server's key and a backup key, or two wrong keys.
    public func trust(rightPin: Bool) throws -> TrustContext {
        let strangers = [Pin(SPKIDigest(hashing: [1])), Pin(SPKIDigest(hashing: [2]))]
        let pins = rightPin ? [Pin(key), strangers[0]] : strangers
        let rule = PinningRule(host: try CanonicalHost("localhost"), pins: PinSet(pins))
        return .policy(
            try PinningPolicy(name: rightPin ? "right pins" : "wrong pins", rules: [rule]), anchors: .only([root]))
    }
}
