/// How much waits on the disk, and for how long. What comes beyond a limit is dropped, with its own ``ReportEvent``.
public struct ReportSpoolLimits: Hashable, Sendable {
    /// Reports that wait. 100 by default. What comes beyond is dropped, not what waits: a flood must not wash the first reports away.
    /// A report about a host that has fewer of them takes the place of the newest one about the host that has most.
    public var reports = 100
    /// Bytes of all files together. 4 MiB by default.
    public var bytes = 4 << 20
    /// Bytes of one report. 128 KiB by default; one that has more is sent without its certificates.
    public var reportBytes = 128 << 10
    /// How often a collector may answer to a report that it is not ready. 25 times by default. Attempts without an answer do not count:
    /// a network may be away for longer.
    public var attempts = 25
    /// How long a report waits, in seconds. A week by default. One that was never tried is tried once, however old it is.
    public var age: Int64 = 7 * 86_400

    /// The default limits.
    public init() {}
}
