/// The limits for reports on disk. Reports beyond a limit are dropped, with the corresponding ``ReportEvent``.
public struct ReportSpoolLimits: Hashable, Sendable {
    /// The maximum number of waiting reports. 100 by default.
    ///
    /// Further reports are dropped, so that a flood does not displace the first reports. A report about a host with
    /// fewer reports replaces the newest report about the host with the most.
    public var reports = 100
    /// The maximum size of all files together, in bytes. 4 MiB by default.
    public var bytes = 4 << 20
    /// The maximum size of a report, in bytes. 128 KiB by default; a larger report is sent without its certificates.
    public var reportBytes = 128 << 10
    /// The maximum number of times that a collector may respond with a temporary failure. 25 by default. Attempts
    /// without a response do not count, because the network may be unavailable for longer.
    public var attempts = 25
    /// The maximum age of a report, in seconds. One week by default. A report without any attempt is tried once,
    /// however old it is.
    public var age: Int64 = 7 * 86_400

    /// Creates the default limits.
    public init() {}
}
