public import HoldfastTrust
import NIOCore

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
    /// Called with each event, one after the other, on a separate thread. It may block without delaying requests. Up to
    /// 1,024 events wait; further ones are counted as ``ReportCollectorEvent/dropped(_:)``.
    public var onEvent: (@Sendable (ReportCollectorEvent) -> Void)?
    /// The clock for the time of arrival.
    public var clock = TrustClock.system

    /// Nanoseconds of a monotonic clock, for the rate limit.
    package var uptime: @Sendable () -> Int64 = { Int64(clamping: NIODeadline.now().uptimeNanoseconds) }

    /// Creates a configuration with the defaults.
    public init() {}
}
