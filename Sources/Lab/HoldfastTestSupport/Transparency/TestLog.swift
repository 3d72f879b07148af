public import HoldfastTrust
import HoldfastBase

/// A certificate transparency log for tests, with a key of its own. It signs every entry that it receives.
public struct TestLog: Sendable {
    /// The key of the log.
    public let key: Key
    /// The name of the log.
    public let name: String
    /// The operator of the log.
    public let operatorName: String
    /// The state of the log, as a member of a log list names it.
    public var state = TransparencyLog.State.usable
    /// The time from which the log has this state.
    public var since = CertificateFactory.referenceTime.advanced(bySeconds: -100 * 86_400)
    /// Whether the log has the interface of static-ct-api.
    public var isTiled = false
    /// Former operators, each until a time.
    public var formerOperators: [(name: String, until: Timestamp)] = []

    /// Creates a log with a new key. RFC 6962 allows P-256 and RSA.
    public init(_ name: String, operator operatorName: String, _ kind: KeyKind = .p256) throws {
        key = kind.isExpensive ? try Key.shared(kind, "log " + name) : try Key(kind)
        self.name = name
        self.operatorName = operatorName
    }

    /// The identifier of the log.
    public var id: TransparencyLogID { TransparencyLogID(hashing: key.publicKeyInfo) }

    /// Returns the same log with another state.
    public func with(_ change: (inout TestLog) -> Void) -> TestLog {
        var log = self
        change(&log)
        return log
    }

    /// Returns a timestamp (RFC 6962, 3.2) over a TBSCertificate without the timestamps and the poison.
    package func timestamp(
        over tbs: [UInt8], issuerKeyHash: [UInt8], milliseconds: UInt64, extensions: [UInt8] = []
    ) throws -> [UInt8] {
        let signed =
            [0, 0] + Self.number(milliseconds, 8) + [0, 1] + issuerKeyHash + Self.vector(tbs, 3)
            + Self.vector(extensions, 2)
        let signature = try key.sign(signed, .sha256)
        let isRSA = key.kind.isExpensive
        return [0] + id.bytes + Self.number(milliseconds, 8) + Self.vector(extensions, 2) + [4, isRSA ? 1 : 3]
            + Self.vector(signature, 2)
    }

    /// Returns bytes after their length.
    package static func vector(_ bytes: [UInt8], _ lengthBytes: Int) -> [UInt8] {
        number(UInt64(bytes.count), lengthBytes) + bytes
    }

    private static func number(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - $0))) }
    }

    /// Returns the extension with timestamps (RFC 6962, 3.3).
    package static func embedded(_ timestamps: [[UInt8]]) -> ExtraExtension {
        let list = vector(timestamps.flatMap { vector($0, 2) }, 2)
        return ExtraExtension("1.3.6.1.4.1.11129.2.4.2", value: DERBytes.octetString(list))
    }

    /// The poison extension of a precertificate (RFC 6962, 3.1).
    package static let poison = ExtraExtension("1.3.6.1.4.1.11129.2.4.3", isCritical: true)
}

extension TestLog {
    /// Returns a list of logs in Google's format, version 3.
    public static func googleList(
        _ logs: [TestLog], issued: Timestamp = CertificateFactory.referenceTime.advanced(bySeconds: -86_400)
    ) -> String {
        var names: [String] = []
        for log in logs where !names.contains(log.operatorName) { names.append(log.operatorName) }
        let operators = names.map { name -> JSONNode.Value in
            let own = logs.filter { $0.operatorName == name }
            return .fields([
                ("name", .string(name)),
                ("email", .list([.string("log@example.com")])),
                ("logs", .list(own.filter { !$0.isTiled }.map(\.google))),
                ("tiled_logs", .list(own.filter(\.isTiled).map(\.google))),
            ])
        }
        return JSONWriter.text(
            .fields([
                ("version", .string("1.0")), ("log_list_timestamp", .text(issued)), ("operators", .list(operators)),
            ]))
    }

    private var google: JSONNode.Value {
        let former = formerOperators.map { entry in
            JSONNode.Value.fields([("name", .string(entry.name)), ("end_time", .text(entry.until))])
        }
        return .fields([
            ("description", .string(name)),
            ("log_id", .text(id)),
            ("key", .string(key.publicKeyInfo.base64)),
            ("url", .string("https://log.example.com/")),
            ("mmd", .number("86400")),
            ("state", .fields([(state.rawValue, .fields([("timestamp", .text(since))]))])),
            ("previous_operators", former.isEmpty ? nil : .list(former)),
        ])
    }

    /// Returns the logs with the default age limit.
    public static func logs(
        _ logs: [TestLog], issued: Timestamp = CertificateFactory.referenceTime.advanced(bySeconds: -86_400),
        whenOutdated: TransparencyLogs.WhenOutdated = .refuse
    ) throws -> TransparencyLogs {
        TransparencyLogs(
            try TransparencyLogList(json: Array(googleList(logs, issued: issued).utf8)), whenOutdated: whenOutdated)
    }
}

extension CertificateFactory {
    /// Returns a server's certificate with embedded timestamps of the given logs.
    ///
    /// Mints the certificate without timestamps first, as an authority does with a precertificate, and lets each log
    /// sign its TBSCertificate.
    ///
    /// - Parameters:
    ///   - time: The time of the timestamps; by default an hour before the factory's time.
    ///   - position: The place of the extension among `extraExtensions`; by default the last one.
    ///   - issuerKeyHash: The hash of the issuer's key that the logs sign; by default the correct one.
    ///   - change: Changes the encoded timestamps.
    package func loggedLeaf(
        _ dnsNames: [String], signedBy issuer: Identity, _ options: CertificateOptions = .init(), logs: [TestLog],
        at time: Timestamp? = nil, position: Int? = nil, issuerKeyHash: [UInt8]? = nil,
        change: (inout [[UInt8]]) throws -> Void = { _ in }
    ) throws -> Identity {
        var options = options
        options.key = try options.key ?? Key(options.keyKind)
        options.serial = options.serial ?? (0..<16).map { _ in UInt8.random(in: 1...0x7F) }
        let bare = try leaf(dnsNames, signedBy: issuer, options)
        let instant = (time ?? now.advanced(bySeconds: -3_600)).secondsSince1970
        let hash = issuerKeyHash ?? issuer.key.spkiDigest.bytes
        var timestamps = try logs.map { log in
            try log.timestamp(
                over: bare.tbs, issuerKeyHash: hash, milliseconds: UInt64(max(0, instant)) * 1_000)
        }
        try change(&timestamps)
        let place = position ?? options.extraExtensions.count
        options.extraExtensions.insert(TestLog.embedded(timestamps), at: place)
        return try leaf(dnsNames, signedBy: issuer, options)
    }
}

extension Identity {
    /// The bytes of the TBSCertificate, found without Holdfast's own DER reader.
    package var tbs: [UInt8] {
        let start = Self.header(certificateDER, at: 0).content
        let (content, length) = Self.header(certificateDER, at: start)
        return Array(certificateDER[start..<content + length])
    }

    private static func header(_ der: [UInt8], at start: Int) -> (content: Int, length: Int) {
        let first = Int(der[start + 1])
        guard first >= 0x80 else { return (start + 2, first) }
        let count = first & 0x7F
        let length = der[start + 2..<start + 2 + count].reduce(0) { $0 << 8 | Int($1) }
        return (start + 2 + count, length)
    }
}
