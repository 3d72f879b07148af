/// The limits on senders' use of a collector. Anyone can send reports, because apps cannot keep a secret.
public struct ReportCollectorLimits: Hashable, Sendable {
    /// The maximum size of a report in bytes. Ten certificates with RSA-4096 keys, sent twice, have about 50,000.
    public var bodyBytes = 128 * 1024
    /// The maximum number of certificates in a chain.
    public var chainLength = 20
    /// The maximum size of a certificate's PEM text in bytes.
    public var certificateBytes = 32 * 1024
    /// The maximum size of any other string in bytes.
    public var stringBytes = 512
    /// The maximum number of known pins in a report.
    public var pins = 200
    /// The maximum number of unknown members in a report, for later versions of the formats.
    public var unknownMembers = 16

    /// The maximum number of open connections; further ones wait to be accepted.
    public var connections = 512
    /// The maximum number of open connections per address (for IPv6: per /64 network); further ones are closed.
    public var connectionsPerPeer = 64
    /// The maximum size of all header fields of a request in bytes.
    public var headerBytes = 16 * 1024
    /// The maximum number of header fields of a request.
    public var headerFields = 64
    /// The time limit from a connection's beginning, or from its last answer, to the next answer. It applies to slow
    /// senders, slow readers and idle connections.
    public var exchangeTime = Duration.seconds(30)
    /// The time that requests in progress have to end when the collector is stopped.
    public var shutdownTime = Duration.seconds(10)

    /// The number of reports that one address may send at once; 0 for no limit. The same number of failed attempts to
    /// read is allowed; then every request to read from that address is refused for a while, even with a valid token.
    public var burst = 60
    /// The number of reports per minute that are added to this allowance.
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
    /// How long a report is stored.
    public var storedFor = Duration.seconds(90 * 86_400)
    /// How long equal bytes count as the same report, if it has no identifier.
    public var repetitionWindow = Duration.seconds(86_400)

    /// Creates limits with the defaults.
    public init() {}
}
