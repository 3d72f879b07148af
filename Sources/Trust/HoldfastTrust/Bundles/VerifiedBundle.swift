import HoldfastBase

/// A bundle whose signature was verified and whose policy can be honoured. Only ``SignedBundle/verify(keys:application:)``
/// makes one.
public struct VerifiedBundle: Hashable, Sendable {
    /// The application that it is for.
    public let application: String
    /// Its version.
    public let version: Int64
    /// From when on it may be taken.
    public let notBefore: Timestamp
    /// Until when it is fresh. After it the bundle stays in force and counts as stale.
    public let notAfter: Timestamp
    /// The policy inside.
    public let policy: PinningPolicy
    /// The key that signed it.
    public let keyID: String
    /// The envelope's bytes.
    public let bytes: [UInt8]
    /// The payload's digest, which tells two bundles of one version apart.
    let digest: SHA256Hash

    /// Whether the bundle has outlived its freshness.
    public func isStale(at time: Timestamp) -> Bool { time > notAfter }

    fileprivate init(_ bundle: SignedBundle, _ fields: [String: JSONNode.Value]) throws(BundleError) {
        guard case .string(let application) = fields["application"], case .number(let digits) = fields["version"],
            let version = Int64(digits), version >= 1, case .string(let start) = fields["notBefore"],
            case .string(let end) = fields["notAfter"], let notBefore = Timestamp(iso8601: start),
            let notAfter = Timestamp(iso8601: end), notBefore < notAfter, case .string(let policy) = fields["policy"]
        else { throw BundleError(.malformed, "The payload lacks a part, or one of its parts is malformed.") }
        guard version <= SignedBundle.maximumVersion else {
            throw BundleError(
                .malformed,
                "The version \(version) is above \(SignedBundle.maximumVersion): no later bundle could be taken after it."
            )
        }
        self.application = application
        self.version = version
        self.notBefore = notBefore
        self.notAfter = notAfter
        do throws(PolicyError) { self.policy = try PinningPolicy(holdfastJSON: Array(policy.utf8)) } catch {
            throw BundleError(.invalidPolicy, "The bundle's policy cannot be honoured.", problems: error.problems)
        }
        keyID = bundle.keyID
        bytes = bundle.bytes
        digest = SHA256Hash(hashing: bundle.payload)
    }
}

extension SignedBundle {
    /// Verifies the signature over the payload's exact bytes, then reads the payload.
    ///
    /// Time, version and what the bundle may change are not looked at here: see ``BundleState``. Throws ``BundleError``.
    public func verify(keys: [BundleKey], application: String) throws(BundleError) -> VerifiedBundle {
        guard let key = keys.first(where: { $0.id == keyID }) else {
            throw BundleError(.unknownKey, "No key is named \"\(Printable.text(keyID))\".")
        }
        guard key.algorithm == algorithm else {
            throw BundleError(
                .algorithmMismatch,
                "The bundle says \(algorithm.rawValue), and its key is for \(key.algorithm.rawValue).")
        }
        guard key.isValid(signature, for: SignedBundle.message(payload, keyID: keyID, algorithm)) else {
            throw BundleError(.badSignature, "The signature was not made by the key \"\(Printable.text(keyID))\".")
        }
        let fields = try SignedBundle.fields(
            of: payload, allowed: ["application", "version", "notBefore", "notAfter", "policy"])
        let verified = try VerifiedBundle(self, fields)
        guard verified.application == application else {
            throw BundleError(
                .wrongApplication,
                "The bundle is for \"\(Printable.text(verified.application))\", not for \"\(application)\".")
        }
        return verified
    }
}
