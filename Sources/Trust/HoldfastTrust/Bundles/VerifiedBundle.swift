import HoldfastBase

/// A bundle with a verified signature and a valid policy. Only ``SignedBundle/verify(keys:application:)`` creates one.
public struct VerifiedBundle: Hashable, Sendable {
    /// The application that accepts the bundle.
    public let application: String
    /// The version of the bundle.
    public let version: Int64
    /// The time from which the bundle may be accepted.
    public let notBefore: Timestamp
    /// The end of the bundle's validity. Afterwards the bundle stays in force and counts as stale.
    public let notAfter: Timestamp
    /// The policy in the bundle.
    public let policy: PinningPolicy
    /// The stages of the bundle, or `nil` if it is for all installations at once.
    public let rollout: BundleRollout?
    /// The id of the key that signed the bundle.
    public let keyID: String
    /// The bytes of the envelope.
    public let bytes: [UInt8]
    /// The digest of the payload, which distinguishes two bundles with the same version.
    let digest: SHA256Hash

    /// Returns whether the validity of the bundle has ended.
    public func isStale(at time: Timestamp) -> Bool { time > notAfter }

    fileprivate init(_ bundle: SignedBundle, _ fields: [String: JSONNode.Value]) throws(BundleError) {
        guard case .string(let application) = fields["application"], case .number(let digits) = fields["version"],
            let version = Int64(digits), version >= 1, case .string(let start) = fields["notBefore"],
            case .string(let end) = fields["notAfter"], let notBefore = Timestamp(iso8601: start),
            let notAfter = Timestamp(iso8601: end), notBefore < notAfter, case .string(let policy) = fields["policy"]
        else { throw BundleError(.malformed, "A part of the payload is missing or malformed.") }
        guard version <= SignedBundle.maximumVersion else {
            throw BundleError(
                .malformed,
                "The version \(version) exceeds \(SignedBundle.maximumVersion): later bundles could not be accepted."
            )
        }
        self.application = application
        self.version = version
        self.notBefore = notBefore
        self.notAfter = notAfter
        if let value = fields["rollout"] {
            rollout = try BundleRollout(value, notAfter: notAfter)
        } else {
            rollout = nil
        }
        do throws(PolicyError) { self.policy = try PinningPolicy(holdfastJSON: Array(policy.utf8)) } catch {
            throw BundleError(.invalidPolicy, "The bundle's policy is not valid.", problems: error.problems)
        }
        keyID = bundle.keyID
        bytes = bundle.bytes
        digest = SHA256Hash(hashing: bundle.payload)
    }
}

extension SignedBundle {
    /// Verifies the signature over the exact payload bytes, then reads the payload.
    ///
    /// Does not check the validity period, the version, the roll-out's cohorts or the permissions: see ``BundleState``.
    ///
    /// - Throws: ``BundleError``.
    public func verify(keys: [BundleKey], application: String) throws(BundleError) -> VerifiedBundle {
        let message = SignedBundle.message(payload, keyID: keyID, algorithm)
        try keys.verify(signature, for: message, keyID: keyID, algorithm, what: "bundle")
        let fields = try SignedBundle.fields(of: payload, allowed: SignedBundle.payloadMembers)
        let verified = try VerifiedBundle(self, fields)
        guard verified.application == application else {
            throw BundleError(
                .wrongApplication,
                "The bundle is for \"\(Printable.text(verified.application))\", not for \"\(application)\".")
        }
        return verified
    }
}
