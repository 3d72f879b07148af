import HoldfastBase

/// A public key that may sign halts. It cannot sign bundles or timestamps.
public struct BundleHaltKey: Hashable, Sendable {
    let key: BundleKey

    /// The name by which halts refer to the key.
    public var id: String { key.id }

    /// Creates a key from the SubjectPublicKeyInfo, in PEM or DER, of an Ed25519 or P-256 key.
    ///
    /// - Throws: ``BundleError`` with the code `unknownKey`.
    public init(id: String, publicKey bytes: [UInt8]) throws(BundleError) {
        key = try BundleKey(id: id, publicKey: bytes)
    }
}

/// A signed order to stop the roll-out of a version.
///
/// An installation that has not put the version in force waits until the halt ends. A halt never removes or replaces a
/// policy, and it has no effect on bundles without a roll-out. A stolen halt key can therefore only delay an
/// installation, by at most ``maximumLifetime`` after its stage has begun.
public struct BundleHalt: Hashable, Sendable {
    /// The maximum size of a halt in bytes.
    ///
    /// - Error: `BundleError.Code.tooLarge`
    public static let maximumSize = SignedStatement.maximumSize
    /// The maximum time from ``issued`` to ``notAfter`` in seconds: 14 days. Publish a corrected bundle in this time.
    ///
    /// - Error: `BundleError.Code.haltTooLong`
    public static let maximumLifetime: Int64 = 14 * 86_400

    /// The application whose roll-out is stopped.
    public let application: String
    /// The highest version that is stopped. Staged bundles with lower versions are stopped as well. 0 stops nothing and
    /// replaces an earlier halt.
    public let version: Int64
    /// The time of the signature.
    public let issued: Timestamp
    /// The end of the halt.
    public let notAfter: Timestamp
    /// The serial number. It only increases, and is at most ``issued`` in Unix seconds: a stolen key cannot use up the
    /// serial numbers of the future.
    public let serial: Int64
    /// The bytes of the envelope.
    public let bytes: [UInt8]

    private static let members: Set<String> = ["application", "version", "issued", "notAfter", "serial"]

    /// Creates and signs a halt.
    ///
    /// - Parameters:
    ///   - application: The application of the bundles.
    ///   - version: The highest version to stop, or 0 to replace an earlier halt.
    ///   - issued: The time of the signature.
    ///   - notAfter: The time at which the halt expires.
    ///   - serial: The serial number. By default, the Unix time of `issued`.
    ///   - key: The key of a ``BundleHaltKey``.
    /// - Throws: ``BundleError`` with the code `malformed` or `haltTooLong`.
    public static func sign(
        application: String, version: Int64, issued: Timestamp, notAfter: Timestamp, serial: Int64? = nil,
        with key: BundleSigningKey
    ) throws(BundleError) -> BundleHalt {
        let serial = serial ?? issued.secondsSince1970
        try check(application, version, issued, notAfter, serial)
        let bytes = try SignedStatement.sign(
            [
                ("application", .string(application)), ("version", .number("\(version)")), ("issued", .text(issued)),
                ("notAfter", .text(notAfter)), ("serial", .number("\(serial)")),
            ], .halt, with: key)
        return try BundleHalt(SignedStatement(bytes, .halt).unverified(allowed: members), bytes)
    }

    /// Verifies the signature of a halt and reads it. Does not compare it with the time or with an earlier halt.
    ///
    /// - Throws: ``BundleError``.
    public init(_ bytes: [UInt8], keys: [BundleHaltKey], application: String) throws(BundleError) {
        let statement = try SignedStatement(bytes, .halt)
        self = try BundleHalt(statement.verified(by: keys.map(\.key), allowed: BundleHalt.members), bytes)
        guard self.application == application else {
            throw BundleError(
                .wrongApplication,
                "The halt is for \"\(Printable.text(self.application))\", not for \"\(application)\".")
        }
    }

    /// Reads a halt without verifying its signature, for the operator's tools. Apps must not use it.
    package init(unverified bytes: [UInt8]) throws(BundleError) {
        let statement = try SignedStatement(bytes, .halt)
        self = try BundleHalt(statement.unverified(allowed: BundleHalt.members), bytes)
    }

    private init(_ fields: [String: JSONNode.Value], _ bytes: [UInt8]) throws(BundleError) {
        guard case .string(let application) = fields["application"], case .number(let digits) = fields["version"],
            let version = Int64(digits), case .string(let start) = fields["issued"],
            let issued = Timestamp(iso8601: start), case .string(let end) = fields["notAfter"],
            let notAfter = Timestamp(iso8601: end), case .number(let count) = fields["serial"],
            let serial = Int64(count)
        else { throw BundleError(.malformed, "A part of the halt is missing or malformed.") }
        try BundleHalt.check(application, version, issued, notAfter, serial)
        self.application = application
        self.version = version
        self.issued = issued
        self.notAfter = notAfter
        self.serial = serial
        self.bytes = bytes
    }

    private static func check(
        _ application: String, _ version: Int64, _ issued: Timestamp, _ notAfter: Timestamp, _ serial: Int64
    ) throws(BundleError) {
        guard !application.isEmpty, issued < notAfter else {
            throw BundleError(
                .malformed, "A halt needs an application, and its notAfter must be later than its issued.")
        }
        guard (0...SignedBundle.maximumVersion).contains(version) else {
            throw BundleError(
                .malformed, "The halt's version \(version) is not between 0 and \(SignedBundle.maximumVersion).")
        }
        guard notAfter <= issued.advanced(bySeconds: maximumLifetime) else {
            throw BundleError(
                .haltTooLong,
                "The halt lasts from \(issued) to \(notAfter); the limit is \(maximumLifetime / 86_400) days.")
        }
        guard serial >= 1, serial <= issued.secondsSince1970 else {
            throw BundleError(
                .malformed,
                "The halt's serial number \(serial) is not between 1 and \(issued.secondsSince1970), the Unix time of issued."
            )
        }
    }

    /// Returns whether the halt stops a version, if the bundle has a roll-out.
    func stops(_ version: Int64) -> Bool { version <= self.version }
}
