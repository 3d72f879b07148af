import HoldfastTrust

/// A reader's filter.
struct ReportFilter: Hashable, Sendable {
    /// The host that the app connected to.
    var host: CanonicalHost?
    var result: TrustKitResult?
    /// The earliest time of arrival.
    var since: Timestamp?
}
