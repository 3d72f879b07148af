public import HoldfastTrust
import NIOCore

/// How a ``ReportCollector`` is to run. The defaults listen on loopback, on a free port, and keep nothing.
public struct ReportCollectorConfiguration: Sendable {
    /// The address to listen on. One that other machines reach needs ``tls``.
    public var host = "127.0.0.1"
    /// The port; 0 takes a free one.
    public var port = 0
    /// What the collector shows of itself; without it, it speaks cleartext.
    public var tls: ReportCollectorTLS?
    /// Lets other machines talk to a collector without TLS, so that anyone on the way reads and forges reports and reads
    /// the token. For a reverse proxy that ends TLS on another machine of a closed network.
    public var dangerouslyAllowsCleartext = false
    /// The database file, made when there is none. Without one, reports end with the collector.
    public var databasePath: String?
    /// Where reports are posted to; each path begins with a slash. TrustKit's own collector takes them at the second one.
    public var intakePaths = ["/reports", "/trustkit/report"]
    /// What readers must show, as `Authorization: Bearer …`. Without it, reading is allowed from loopback alone, and only
    /// while nothing says that the collector is for others: see ``dangerouslyAllowsReadingWithoutToken``.
    public var token: ReaderToken?
    /// Lets this machine read without a ``token`` even where a reverse proxy is likely: on a ``host`` that other machines
    /// reach, or without a rate limit (``ReportCollectorLimits/burst`` of 0). To the collector, all that a proxy on this
    /// machine passes on comes from this machine, and nginx with nothing but `proxy_pass` neither says that it is a proxy
    /// nor keeps the name that was asked for: with such a proxy this flag publishes every report.
    public var dangerouslyAllowsReadingWithoutToken = false
    /// What strangers may cost.
    public var limits = ReportCollectorLimits()
    /// Is told what becomes of reports, one event after the other, on a thread of the collector's own. It may block: no
    /// request waits for it, up to 1,024 events do, and further ones are counted as ``ReportCollectorEvent/dropped(_:)``.
    public var onEvent: (@Sendable (ReportCollectorEvent) -> Void)?
    /// Where the time of arrival comes from.
    public var clock = TrustClock.system

    /// Nanoseconds of a clock that never goes back, for the rate limit.
    package var uptime: @Sendable () -> Int64 = { Int64(clamping: NIODeadline.now().uptimeNanoseconds) }

    /// The defaults.
    public init() {}
}
