import HoldfastTrust

/// Which reports a reader wants.
struct ReportFilter: Hashable, Sendable {
    /// The host that was to be reached.
    var host: CanonicalHost?
    var result: TrustKitResult?
    /// Reports that came at this time or later.
    var since: Timestamp?
}
