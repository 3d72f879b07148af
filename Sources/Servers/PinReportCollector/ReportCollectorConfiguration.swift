public import HoldfastTrust
import NIOCore
import NIOSSL
import PinReports
import ServerKit

/// The configuration of a ``ReportCollector``. With the defaults, it listens on loopback on a free port and stores
/// nothing on the disk.
public struct ReportCollectorConfiguration: Sendable {
    /// The address to listen on. An address that other machines can reach needs ``tls``.
    public var host = "127.0.0.1"
    /// The port; 0 selects a free port.
    public var port = 0
    /// The TLS identity; without one, the collector does not use TLS.
    public var tls: ReportCollectorTLS?
    /// Accepts other machines without TLS. Anyone on the network path can then read and forge reports, and read the
    /// token. Use this only behind a reverse proxy that terminates TLS on another machine of a closed network.
    public var dangerouslyAllowsCleartext = false
    /// The database file, created if it does not exist. Without a path, reports are lost when the collector ends.
    public var databasePath: String?
    /// The URL of a PostgreSQL database instead of ``databasePath``, as in `postgresql://user@host/database`. Requires
    /// the package trait `PostgreSQL`.
    ///
    /// Over TCP, the collector verifies the server's certificate and its name (`sslmode=verify-full`), and requires
    /// channel binding. A Unix socket, as in `postgresql:///database?host=/var/run/postgresql`, needs neither. libpq
    /// reads the password from `PGPASSWORD` or the password file if the URL has none.
    public var databaseURL: String?
    /// Accepts the weaker `sslmode` or `channel_binding` of ``databaseURL``. Anyone on the network path can then read
    /// and change reports, and may read the password.
    public var dangerouslyAllowsUnverifiedDatabase = false
    /// The paths for posting reports; each begins with a slash. The second one is that of TrustKit's own collector.
    public var intakePaths = ["/reports", "/trustkit/report"]
    /// The readers' token, sent as `Authorization: Bearer …`. Without one, only loopback may read, and only if nothing
    /// indicates that other machines have access: see ``dangerouslyAllowsReadingWithoutToken``.
    public var token: ReaderToken?
    /// Lets this machine read without a ``token`` even if a reverse proxy is likely: on a ``host`` that other machines
    /// can reach, or without a rate limit (``ReportCollectorLimits/burst`` of 0). To the collector, all requests that a
    /// local proxy forwards come from this machine. nginx with only `proxy_pass` neither identifies itself as a proxy
    /// nor keeps the requested host name. With such a proxy, this flag publishes every report.
    public var dangerouslyAllowsReadingWithoutToken = false
    /// The limits on senders' use of resources.
    public var limits = ReportCollectorLimits()
    /// The report desk with its metrics and webhook.
    public var desk = ReportDeskConfiguration()
    /// Called with each event, one after the other, on a separate thread. It may block without delaying requests. Up to
    /// 1,024 events wait; further ones are counted as ``ReportCollectorEvent/dropped(_:)``.
    public var onEvent: (@Sendable (ReportCollectorEvent) -> Void)?
    /// The clock for the time of arrival.
    public var clock = TrustClock.system

    /// Nanoseconds of a monotonic clock, for the rate limit.
    package var uptime: @Sendable () -> Int64 = { Int64(clamping: NIODeadline.now().uptimeNanoseconds) }

    /// Random numbers for the jitter of waiting times.
    package var entropy: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }

    /// Random numbers for the secrets of the desk's sessions.
    package var deskSecrets: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }

    /// Creates a configuration with the defaults.
    public init() {}
}

extension ReportCollectorConfiguration {
    /// The database for people and logs, without a password; `nil` if it is in memory.
    package var databaseText: String? { databaseURL.map(ReportDatabaseURL.description) ?? databasePath }
}

/// The limits on senders' use of a collector. Anyone can send reports, because apps cannot keep a secret.
public struct ReportCollectorLimits: Hashable, Sendable {
    /// The maximum size of a report in bytes. Ten certificates with RSA-4096 keys, sent twice, have about 50,000.
    ///
    /// - Error: 413 `tooLarge`
    public var bodyBytes = 128 * 1024
    /// The maximum number of certificates in a chain.
    ///
    /// - Error: 400 `tooMuch`
    public var chainLength = 20
    /// The maximum size of a certificate's PEM text in bytes.
    ///
    /// - Error: 400 `tooMuch`
    public var certificateBytes = 32 * 1024
    /// The maximum size of any other string in bytes.
    ///
    /// - Error: 400 `tooMuch`
    public var stringBytes = 512
    /// The maximum number of known pins in a report.
    ///
    /// - Error: 400 `tooMuch`
    public var pins = 200
    /// The maximum number of unknown members in a report, for later versions of the formats.
    ///
    /// - Error: 400 `tooMuch`
    public var unknownMembers = 16

    /// The maximum number of open connections; further ones wait to be accepted.
    public var connections = 512
    /// The maximum number of open connections per address (for IPv6: per /64 network); further ones are closed.
    public var connectionsPerPeer = 64
    /// The maximum size of all header fields of a request in bytes.
    ///
    /// - Error: HTTP 400
    public var headerBytes = 16 * 1024
    /// The maximum number of header fields of a request.
    ///
    /// - Error: HTTP 400
    public var headerFields = 64
    /// The time limit from a connection's beginning, or from its last answer, to the next answer. It applies to slow
    /// senders, slow readers and idle connections. After this time, the connection is closed.
    public var exchangeTime = Duration.seconds(30)
    /// The time that requests in progress have to end when the collector is stopped. Then they are cancelled.
    public var shutdownTime = Duration.seconds(10)

    /// The number of reports that one address may send at once; 0 for no limit. The same number of failed attempts to
    /// read is allowed; then every request to read from that address is refused for a while, even with a valid token.
    ///
    /// - Error: 429 `tooManyRequests`
    public var burst = 60
    /// The number of reports per minute that are added to this allowance.
    ///
    /// - Error: 429 `tooManyRequests`
    public var perMinute = 60
    /// The size in bytes that counts as one report for ``burst`` and ``perMinute``: a stored report of four times this
    /// size counts as four. A report is always received completely; later ones wait longer.
    public var bytesPerCount = 4_096
    /// The number of addresses that the rate limit remembers. When the table is full, new addresses share one
    /// allowance.
    public var rememberedPeers = 10_000

    /// The maximum number of stored reports; the oldest are removed first.
    public var storedReports = 100_000
    /// The maximum size of the stored reports as received, in bytes; the oldest are removed first. The database has up
    /// to twice this size.
    public var storedBytes: Int64 = 512 << 20
    /// How long a report is stored. Then it is removed.
    public var storedFor = Duration.seconds(90 * 86_400)
    /// How long equal bytes count as the same report, if it has no identifier.
    public var repetitionWindow = Duration.seconds(86_400)
    /// How long an identifier belongs to one report, also after the report was removed. The default exceeds the longest
    /// time for which Holdfast's reporter repeats a report (`ReportSpoolLimits.age`, one week) by a day.
    public var identityTime = Duration.seconds(8 * 86_400)
    /// The maximum number of stored identities of reports; the oldest are removed first. One takes about 80 bytes of a
    /// SQLite database and 155 bytes of a PostgreSQL database.
    ///
    /// Identities from the last 30 minutes are never removed: when they exceed the limit, reports are refused with
    /// ``ReportCollectorError/Code/identitiesFull``. The number exceeds the limit by up to one batch, and with several
    /// collectors by what the others have added within a minute.
    ///
    /// - Error: 503 `identitiesFull`
    public var identities = 10_000_000

    /// The maximum number of incidents. Half of the places are for incidents with one report. Incidents with more
    /// reports have an eighth each: with 2 or 3, 4 to 15, 16 to 255, and 256 or more. Incidents whose state a person
    /// has changed belong to the last group. A further incident replaces the one without a report for the longest
    /// time, in the first group with more incidents than places.
    public var incidents = 10_000
    /// The maximum number of reports that wait for the database; further ones are refused with 503. From a quarter on,
    /// bodies are sampled: counts stay exact, but not every report keeps its received bytes.
    ///
    /// - Error: 503 `overloaded`
    public var queuedReports = 8_192
    /// The maximum size of the reports that wait for the database, in bytes.
    ///
    /// - Error: 503 `overloaded`
    public var queuedBytes = 64 << 20
    /// The number of reports per second above which bodies are sampled; 0 for no limit.
    public var bodiesPerSecond = 0

    /// Creates limits with the defaults.
    public init() {}

    /// The age in seconds below which no identity is removed.
    static let shortestIdentityTime: Int64 = 1_800

    /// The time in seconds after which an identity has no meaning.
    var identityLifetime: Int64 { max(identityTime, repetitionWindow).components.seconds }

    /// Returns how long a report's identity belongs to it, in seconds.
    func identityTime(of report: IncomingReport) -> Int64 {
        (report.hasIdentifier ? identityTime : repetitionWindow).components.seconds
    }

    /// The limits on the size of one report.
    var report: PinReportLimits {
        var limits = PinReportLimits()
        limits.bodyBytes = bodyBytes
        limits.chainLength = chainLength
        limits.certificateBytes = certificateBytes
        limits.stringBytes = stringBytes
        limits.pins = pins
        limits.unknownMembers = unknownMembers
        return limits
    }
}

/// The collector's TLS identity: a certificate chain and its key. No description contains the key.
public struct ReportCollectorTLS: Sendable, CustomStringConvertible, CustomReflectable {
    /// The context for TLS 1.2 or later and HTTP/1.1.
    let context: NIOSSLContext

    /// Creates an identity from a PEM chain, the server's own certificate first, and its unencrypted PEM key.
    ///
    /// - Throws: ``ReportCollectorError/Code/unusableIdentity``. The reason contains nothing of the key.
    public init(certificates: [UInt8], privateKey: [UInt8]) throws(ReportCollectorError) {
        let identity = try ServerIdentity<ReportCollectorError>(certificates: certificates, privateKey: privateKey)
        context = identity.context
    }

    /// Reads the chain and the key from files. Blocks the calling thread.
    public init(certificateFile: String, privateKeyFile: String) throws(ReportCollectorError) {
        let identity = try ServerIdentity<ReportCollectorError>(
            certificateFile: certificateFile, privateKeyFile: privateKeyFile)
        context = identity.context
    }

    /// A fixed text without the key.
    public var description: String { "<TLS identity>" }
    /// A mirror without children, so that a dump does not contain the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
