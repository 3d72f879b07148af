import HoldfastBase

/// A policy in its signed envelope: JSON with the payload bytes in base64, so that exactly the signed bytes are read.
/// See `docs/bundles.md`.
public struct SignedBundle: Hashable, Sendable {
    /// The maximum size of a bundle in bytes.
    ///
    /// - Error: `BundleError.Code.tooLarge`
    public static let maximumSize = 4 << 20
    /// The highest valid version: 2^53 - 1, the largest integer that every JSON reader preserves exactly.
    ///
    /// An app refuses every version below its current one, so a version near the end of the integer range would block
    /// all later bundles. Unix seconds are in range.
    ///
    /// - Error: `BundleError.Code.malformed`
    public static let maximumVersion: Int64 = 9_007_199_254_740_991

    /// The bytes of the envelope.
    public let bytes: [UInt8]
    let keyID: String
    let algorithm: BundleAlgorithm
    let payload: [UInt8]
    let signature: [UInt8]

    /// Reads an envelope without verifying it.
    ///
    /// - Throws: ``BundleError`` with the code `malformed` or `tooLarge`.
    public init(_ bytes: [UInt8]) throws(BundleError) {
        guard bytes.count <= SignedBundle.maximumSize else {
            throw BundleError(
                .tooLarge, "The bundle has \(bytes.count) bytes; the limit is \(SignedBundle.maximumSize).")
        }
        let fields = try SignedBundle.fields(
            of: bytes, allowed: ["holdfastBundle", "keyID", "algorithm", "payload", "signature"])
        guard fields["holdfastBundle"] == .number("1") else {
            throw BundleError(.malformed, "The bundle does not have version 1 of the format.")
        }
        guard case .string(let keyID) = fields["keyID"], case .string(let name) = fields["algorithm"],
            let algorithm = BundleAlgorithm(rawValue: name), case .string(let payload) = fields["payload"],
            case .string(let signature) = fields["signature"], let payloadBytes = [UInt8](base64: payload),
            let signatureBytes = [UInt8](base64: signature)
        else {
            throw BundleError(
                .malformed, "keyID, algorithm, payload or signature of the bundle is missing or malformed.")
        }
        self.bytes = bytes
        self.keyID = keyID
        self.algorithm = algorithm
        self.payload = payloadBytes
        self.signature = signatureBytes
    }

    /// Creates and signs a bundle.
    ///
    /// - Parameters:
    ///   - policy: The contents of a policy file in Holdfast's own format. The policy is checked before it is signed.
    ///   - application: The application that accepts the bundle.
    ///   - version: From 1 to ``maximumVersion``. An app accepts only versions that are higher than its current one.
    ///   - notBefore: The time before which apps do not accept the bundle.
    ///   - notAfter: The time after which apps do not accept the bundle.
    ///   - key: The key of a ``BundleKey``.
    ///   - allowsEmptyPolicy: Whether a policy without effect is signed. Apps accept it only with the permission
    ///     ``BundlePermissions/unpin``.
    ///   - rollout: The stages of the bundle. Without a roll-out, the bundle is for all installations at once.
    ///   - current: The policies that apps have now. A bundle with a roll-out must be at least as strict as each.
    /// - Throws: ``BundleError`` with the code `invalidPolicy`, `malformed` or `cohortWeakensPolicy`, or that of
    ///   ``BundleRollout/check(notAfter:)``.
    public static func sign(
        policy: [UInt8], application: String, version: Int64, notBefore: Timestamp, notAfter: Timestamp,
        with key: BundleSigningKey, allowsEmptyPolicy: Bool = false, rollout: BundleRollout? = nil,
        replacing current: [PinningPolicy] = []
    ) throws(BundleError) -> SignedBundle {
        guard notBefore < notAfter, !application.isEmpty else {
            throw BundleError(
                .malformed, "A bundle needs an application, and its notAfter must be later than its notBefore.")
        }
        guard (1...maximumVersion).contains(version) else {
            throw BundleError(
                .malformed, "The version \(version) is not between 1 and \(maximumVersion).")
        }
        let honoured: PinningPolicy
        do throws(PolicyError) { honoured = try PinningPolicy(holdfastJSON: policy) } catch {
            throw BundleError(.invalidPolicy, "The policy is not valid.", problems: error.problems)
        }
        guard allowsEmptyPolicy || !honoured.asksForNothing else {
            throw BundleError(
                .invalidPolicy,
                "The policy has no effect: it has no rule with pins, denied key or anchor, and it allows hosts "
                    + "without a rule. "
                    + "Apps accept it only with the permission unpin.")
        }
        if let rollout {
            try rollout.check(notAfter: notAfter)
            for former in current {
                try PolicyWeakening.checkCohorts(from: former, to: honoured, version: version, at: notBefore)
            }
        }
        let payload = Array(
            JSONWriter.text(
                .fields([
                    ("application", .string(application)),
                    ("version", .number(String(version))),
                    ("notBefore", .text(notBefore)),
                    ("notAfter", .text(notAfter)),
                    ("policy", .string(String(decoding: policy, as: UTF8.self))),
                    ("rollout", rollout?.json),
                ])
            ).utf8)
        let signature = try key.sign(message(payload, keyID: key.id, key.algorithm))
        let envelope = JSONWriter.text(
            .fields([
                ("holdfastBundle", .number("1")),
                ("keyID", .string(key.id)),
                ("algorithm", .string(key.algorithm.rawValue)),
                ("payload", .string(payload.base64)),
                ("signature", .string(signature.base64)),
            ]))
        return try SignedBundle(Array(envelope.utf8))
    }

    /// The signed message: a prefix that other uses of the key do not share, followed by each part with its length.
    static func message(
        _ payload: [UInt8], keyID: String, _ algorithm: BundleAlgorithm,
        prefix: String = "holdfast pin bundle, version 1\n"
    ) -> [UInt8] {
        var message = Array(prefix.utf8)
        for part in [Array(algorithm.rawValue.utf8), Array(keyID.utf8), payload] {
            message += (0..<8).map { UInt8(truncatingIfNeeded: UInt64(part.count) >> (56 - 8 * UInt64($0))) }
            message += part
        }
        return message
    }

    /// The members of a payload.
    static let payloadMembers: Set<String> = ["application", "version", "notBefore", "notAfter", "policy", "rollout"]

    static func fields(
        of bytes: [UInt8], allowed: Set<String>, what: String = "bundle"
    ) throws(BundleError) -> [String: JSONNode.Value] {
        do throws(JSONFault) {
            guard case .object(let members) = try JSONReader.read(bytes).value else {
                throw JSONFault(reason: "expected an object", position: .start)
            }
            if let unknown = members.first(where: { !allowed.contains($0.key) }) {
                throw JSONFault(
                    reason: "the key \"\(Printable.text(unknown.key))\" is unknown", position: unknown.position)
            }
            return Dictionary(members.map { ($0.key, $0.value.value) }) { first, _ in first }
        } catch {
            throw BundleError(.malformed, "The \(what) cannot be read: \(error.position): \(error.reason).")
        }
    }

    /// The unverified application, version and policy of a payload.
    package struct Claims: Hashable, Sendable {
        /// The application that accepts the bundle.
        package var application: String
        /// The version.
        package var version: Int64
        /// The text of the policy.
        package var policy: String
    }

    /// Reads the payload without verifying its signature, for the operator's tools. Apps must not use it.
    ///
    /// - Throws: ``BundleError`` with the code `malformed`.
    package func unverifiedClaims() throws(BundleError) -> Claims {
        let fields = try SignedBundle.fields(of: payload, allowed: SignedBundle.payloadMembers)
        guard case .string(let application) = fields["application"], case .number(let digits) = fields["version"],
            let version = Int64(digits), case .string(let policy) = fields["policy"]
        else { throw BundleError(.malformed, "The application, the version or the policy of the payload is missing.") }
        return Claims(application: application, version: version, policy: policy)
    }

    /// Reads the roll-out of the payload without verifying its signature, for the operator's tools. Apps must not use
    /// it.
    ///
    /// - Returns: The roll-out and the end of the bundle's validity; `nil` if the bundle has no stages.
    /// - Throws: ``BundleError`` if the payload or the roll-out is malformed.
    package func unverifiedRollout() throws(BundleError) -> (rollout: BundleRollout, notAfter: Timestamp)? {
        let fields = try SignedBundle.fields(of: payload, allowed: SignedBundle.payloadMembers)
        guard let value = fields["rollout"] else { return nil }
        guard case .string(let end) = fields["notAfter"], let notAfter = Timestamp(iso8601: end) else {
            throw BundleError(.malformed, "The end of the bundle's validity is missing or malformed.")
        }
        return (try BundleRollout(value, notAfter: notAfter), notAfter)
    }

    /// Returns whether a private key has signed the bundle.
    package func isSigned(by key: BundleSigningKey) -> Bool {
        guard let own = try? BundleKey(id: keyID, publicKey: Array(key.publicKeyPEM.utf8)) else { return false }
        let message = SignedBundle.message(payload, keyID: keyID, algorithm)
        return (try? [own].verify(signature, for: message, keyID: keyID, algorithm, what: "bundle")) != nil
    }
}
