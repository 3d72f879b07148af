public import HoldfastTrust

/// The result of an attempt to fetch a bundle. Each is counted as `event` of the metric `holdfast.bundles`.
public enum BundleFetchEvent: Hashable, Sendable {
    /// A bundle of this version is now in force and stored on disk.
    case taken(version: Int64)
    /// The server's bundle is already in force.
    case unchanged(version: Int64)
    /// The server's bundle is not newer than the policy embedded in the app, which is in force and has this version.
    case outdated(version: Int64)
    /// A bundle was fetched but refused. The policy in force stays in force.
    case refused(BundleError)
    /// No bundle was fetched. The policy in force stays in force.
    case failed(BundleFetchError)
    /// The bundle in force could not be written to disk. It stays in force, and the write is retried.
    case notKept(BundleError)
    /// The bundle in force, which an earlier attempt could not write, is now stored on disk.
    case kept(version: Int64)
    /// The bundle in force is stale, but stays in force. Reported once for each version.
    case stale(version: Int64)

    /// The name of the event in metrics.
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
