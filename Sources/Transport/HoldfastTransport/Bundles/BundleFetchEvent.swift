public import HoldfastTrust

/// What came of looking for a bundle. Each is counted, as `event` of the metric `holdfast.bundles`.
public enum BundleFetchEvent: Hashable, Sendable {
    /// A bundle of this version is in force now, and on the disk.
    case taken(version: Int64)
    /// What the server has is in force already.
    case unchanged(version: Int64)
    /// What the server has is no newer than the policy that was built into the app, which is in force and has this version.
    case outdated(version: Int64)
    /// A bundle was fetched and not taken: what is in force stays so.
    case refused(BundleError)
    /// Nothing was fetched: what is in force stays so.
    case failed(BundleFetchError)
    /// The bundle in force could not be written to the disk. It is in force all the same, and writing is tried again.
    case notKept(BundleError)
    /// The bundle in force, which an earlier attempt could not write, is on the disk now.
    case kept(version: Int64)
    /// The bundle in force has outlived its freshness, and stays in force. Told once for each version.
    case stale(version: Int64)

    /// Its name in metrics.
    var label: String {
        switch self {
        case .taken: "taken"
        case .unchanged: "unchanged"
        case .outdated: "outdated"
        case .refused: "refused"
        case .failed: "failed"
        case .notKept: "notKept"
        case .kept: "kept"
        case .stale: "stale"
        }
    }
}
