/// What strangers may cost a collector. Anybody can send reports: the apps that send them hold no secret.
public struct ReportCollectorLimits: Hashable, Sendable {
    /// Bytes of one report. Ten certificates with RSA-4096 keys, twice, take about 50,000.
    public var bodyBytes = 128 * 1024
    /// Certificates of one chain.
    public var chainLength = 20
    /// Bytes of the PEM text of one certificate.
    public var certificateBytes = 32 * 1024
    /// Bytes of any other string of a report.
    public var stringBytes = 512
    /// Known pins of one report.
    public var pins = 200
    /// Members of a report that are not known here, from later versions of the formats.
    public var unknownMembers = 16

    /// Connections that are open at a time; further ones wait to be accepted.
    public var connections = 512
    /// Connections that one address (for IPv6: one /64 network) may have open at a time; further ones are closed.
    public var connectionsPerPeer = 64
    /// Bytes of all header fields of a request.
    public var headerBytes = 16 * 1024
    /// Header fields of a request.
    public var headerFields = 64
    /// The time from a connection's beginning, or the last answer on it, to the next answer. It bounds slow senders, slow
    /// readers and idle connections alike.
    public var exchangeTime = Duration.seconds(30)
    /// The time that requests in progress have to end in when the collector is asked to stop.
    public var shutdownTime = Duration.seconds(10)

    /// Reports that one address may send in one go; 0 does not limit them. As many failed tries to read are allowed; then every request
    /// to read from that address is refused for a while, whatever token it shows.
    public var burst = 60
    /// How many of them it gets back in each minute.
    public var perMinute = 60
    /// Bytes of a report, as it is kept, that count as one report of ``burst`` and ``perMinute``: a report of four times as
    /// many bytes counts four times. One that is begun is taken, and those after it wait for longer.
    public var bytesPerCount = 4_096
    /// Addresses that are remembered for it. When the table is full, newcomers share one allowance.
    public var rememberedPeers = 10_000

    /// Reports that are kept; the oldest go first.
    public var storedReports = 100_000
    /// Bytes of the kept reports, as they came; the oldest go first. The database takes up to twice as much.
    public var storedBytes: Int64 = 512 << 20
    /// How long a report is kept.
    public var storedFor = Duration.seconds(90 * 86_400)
    /// For how long the same bytes count as the same report, where it has no identifier.
    public var repetitionWindow = Duration.seconds(86_400)

    /// The defaults.
    public init() {}
}
