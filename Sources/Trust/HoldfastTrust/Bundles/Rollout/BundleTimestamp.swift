import HoldfastBase

/// A public key that may sign timestamps. It cannot sign bundles or halts.
public struct BundleTimestampKey: Hashable, Sendable {
    let key: BundleKey

    /// The name by which timestamps refer to the key.
    public var id: String { key.id }

    /// Creates a key from the SubjectPublicKeyInfo, in PEM or DER, of an Ed25519 or P-256 key.
    ///
    /// - Throws: ``BundleError`` with the code `unknownKey`.
    public init(id: String, publicKey bytes: [UInt8]) throws(BundleError) {
        key = try BundleKey(id: id, publicKey: bytes)
    }
}

/// A short-lived signed statement about the newest bundle. It detects a server that holds newer bundles back.
///
/// A timestamp never accepts or refuses a bundle. A stolen timestamp key can therefore cause false alarms, and can
/// delay a staged bundle like a halt, but it cannot change the policy.
public struct BundleTimestamp: Hashable, Sendable {
    /// The maximum size of a timestamp in bytes.
    ///
    /// - Error: `BundleError.Code.tooLarge`
    public static let maximumSize = SignedStatement.maximumSize
    /// The maximum time from ``issued`` to ``notAfter`` in seconds: seven days.
    ///
    /// - Error: `BundleError.Code.timestampTooLong`
    public static let maximumLifetime: Int64 = 7 * 86_400

    /// The application.
    public let application: String
    /// The newest version.
    public let version: Int64
    /// The digest of the payload of the newest bundle.
    let digest: SHA256Hash
    /// The serial number of the newest halt, or 0 if there is none.
    public let haltSerial: Int64
    /// The time of the signature.
    public let issued: Timestamp
    /// The end of the timestamp's validity.
    public let notAfter: Timestamp
    /// The bytes of the envelope.
    public let bytes: [UInt8]

    private static let members: Set<String> = ["application", "version", "digest", "haltSerial", "issued", "notAfter"]

    /// Creates and signs a timestamp.
    ///
    /// - Parameters:
    ///   - bundle: The newest bundle.
    ///   - haltSerial: The serial number of the newest halt, or 0 if there is none.
    ///   - issued: The time of the signature.
    ///   - notAfter: The time at which the timestamp expires.
    ///   - key: The key of a ``BundleTimestampKey``.
    /// - Throws: ``BundleError`` with the code `malformed` or `timestampTooLong`.
    public static func sign(
        for bundle: VerifiedBundle, haltSerial: Int64 = 0, issued: Timestamp, notAfter: Timestamp,
        with key: BundleSigningKey
    ) throws(BundleError) -> BundleTimestamp {
        let bytes = try SignedStatement.sign(
            [
                ("application", .string(bundle.application)), ("version", .number("\(bundle.version)")),
                ("digest", .string(bundle.digest.base64)), ("haltSerial", .number("\(haltSerial)")),
                ("issued", .text(issued)), ("notAfter", .text(notAfter)),
            ], .timestamp, with: key)
        return try BundleTimestamp(SignedStatement(bytes, .timestamp).unverified(allowed: members), bytes)
    }

    /// Verifies the signature of a timestamp and reads it. Does not compare it with the time or with an earlier one.
    ///
    /// - Throws: ``BundleError``.
    public init(_ bytes: [UInt8], keys: [BundleTimestampKey], application: String) throws(BundleError) {
        let statement = try SignedStatement(bytes, .timestamp)
        self = try BundleTimestamp(statement.verified(by: keys.map(\.key), allowed: BundleTimestamp.members), bytes)
        guard self.application == application else {
            throw BundleError(
                .wrongApplication,
                "The timestamp is for \"\(Printable.text(self.application))\", not for \"\(application)\".")
        }
    }

    private init(_ fields: [String: JSONNode.Value], _ bytes: [UInt8]) throws(BundleError) {
        guard case .string(let application) = fields["application"], case .number(let digits) = fields["version"],
            let version = Int64(digits), case .string(let hash) = fields["digest"],
            let digest = SHA256Hash(base64: hash), case .number(let count) = fields["haltSerial"],
            let haltSerial = Int64(count), case .string(let start) = fields["issued"],
            let issued = Timestamp(iso8601: start), case .string(let end) = fields["notAfter"],
            let notAfter = Timestamp(iso8601: end)
        else { throw BundleError(.malformed, "A part of the timestamp is missing or malformed.") }
        guard (1...SignedBundle.maximumVersion).contains(version), issued < notAfter, haltSerial >= 0,
            haltSerial <= max(0, issued.secondsSince1970)
        else {
            throw BundleError(
                .malformed, "The version, the serial number of the halt or the times of the timestamp are not valid.")
        }
        guard notAfter <= issued.advanced(bySeconds: BundleTimestamp.maximumLifetime) else {
            throw BundleError(
                .timestampTooLong,
                "The timestamp lasts from \(issued) to \(notAfter); the limit is 7 days.")
        }
        self.application = application
        self.version = version
        self.digest = digest
        self.haltSerial = haltSerial
        self.issued = issued
        self.notAfter = notAfter
        self.bytes = bytes
    }
}
