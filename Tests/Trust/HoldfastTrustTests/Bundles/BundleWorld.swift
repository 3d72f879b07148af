import HoldfastTestSupport
@testable import HoldfastTrust

/// An operator with a key, an app with an embedded policy, and bundles of the operator for the app.
struct BundleWorld {
    static let application = "com.example.shop"
    let now = CertificateFactory.referenceTime
    let signer = BundleSigningKey(generating: .ed25519, id: "2031-a")
    let keys: [BundleKey]

    init() throws {
        keys = [try BundleKey(id: "2031-a", publicKey: Array(signer.publicKeyPEM.utf8))]
    }

    /// Returns a policy that pins `example.com` and its subdomains to the keys of a number.
    static func policy(_ number: UInt8, more: String = "") -> [UInt8] {
        let pins = [number, number &+ 1].map { #""\#(SPKIDigest(hashing: [$0]))""# }.joined(separator: ", ")
        return Array(
            #"""
            {"holdfast": 1, "name": "shop", "domains": [
            {"host": "example.com", "includesSubdomains": true, "pins": [\#(pins)]\#(more)}]}
            """#.utf8)
    }

    func state(version: Int64 = 3, permissions: BundlePermissions = []) throws -> BundleState {
        BundleState(
            embedded: try PinningPolicy(holdfastJSON: Self.policy(1)), version: version, keys: keys,
            application: Self.application, permissions: permissions)
    }

    func bundle(
        _ version: Int64, _ number: UInt8 = 7, by key: BundleSigningKey? = nil, more: String = "",
        from start: Int64 = -10, until end: Int64 = 1_000
    ) throws -> [UInt8] {
        try SignedBundle.sign(
            policy: Self.policy(number, more: more), application: Self.application, version: version,
            notBefore: now.advanced(bySeconds: start), notAfter: now.advanced(bySeconds: end), with: key ?? signer
        ).bytes
    }

    /// Returns whether a policy pins `example.com` to the keys of a number.
    func pins(_ policy: PinningPolicy, _ number: UInt8) throws -> Bool {
        let rule = policy.rules(covering: try CanonicalHost("www.example.com")).first
        return rule?.pins.pins.contains(Pin(SPKIDigest(hashing: [number]))) == true
    }
}
