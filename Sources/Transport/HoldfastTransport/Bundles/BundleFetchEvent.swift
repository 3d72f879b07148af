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
    /// The server's bundle has a roll-out and is pending. `until` is the earliest time at which it can take effect, or
    /// `nil` if no stage covers this installation.
    case deferred(version: Int64, until: Timestamp?)
    /// The server's bundle is pending, and a halt stops it at most until this time.
    case halted(version: Int64, until: Timestamp)
    /// A timestamp names a newer version than the server's bundle: the server or the network holds it back, or its
    /// files are still being replaced.
    case behind(version: Int64, newest: Int64)
    /// No timestamp has confirmed since this time that the newest version is known. The policy stays in force. Reported
    /// once until a timestamp confirms it again.
    case frozen(since: Timestamp)
    /// A halt or a timestamp was fetched but refused.
    case statementRefused(BundleError)
    /// No halt or no timestamp was fetched.
    case statementFailed(BundleFetchError)

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
        case .deferred: "deferred"
        case .halted: "halted"
        case .behind: "behind"
        case .frozen: "frozen"
        case .statementRefused: "statementRefused"
        case .statementFailed: "statementFailed"
        }
    }
}

/// The reason why a bundle could not be fetched.
///
/// A fetched bundle that is invalid is reported as a `BundleError` (HoldfastTrust). In all cases the policy in force
/// stays in force.
///
/// - Remedy: None is needed: the policy in force stays, and the fetch is repeated. Check the address if the error
///   persists.
public struct BundleFetchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stable name of a kind of failure, safe as a metric label.
    ///
    /// The set may grow, so handle unknown values when comparing with the constants.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name.
        public let rawValue: String
        /// Creates a value from its stable name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name.
        public var description: String { rawValue }

        /// The address is not an `https` URL, nor an `http` URL of this machine.
        public static let badAddress = Code(rawValue: "badAddress")
        /// The server could not be reached, was not trusted, or did not answer in time.
        public static let network = Code(rawValue: "network")
        /// The server answered with a status other than success.
        public static let status = Code(rawValue: "status")
        /// The response is larger than a bundle may be.
        public static let tooLarge = Code(rawValue: "tooLarge")
    }

    /// The kind of failure.
    public var code: Code
    /// A human-readable sentence.
    public var reason: String
    /// The HTTP status, if it is the reason.
    public var status: Int?
    /// The delay that the server requested (`Retry-After`), in seconds; not bounded.
    public var retryAfter: Double?

    /// Creates an error.
    public init(_ code: Code, _ reason: String, status: Int? = nil, retryAfter: Double? = nil) {
        self.code = code
        self.reason = reason
        self.status = status
        self.retryAfter = retryAfter
    }

    /// The code and the reason.
    public var description: String { "\(code.rawValue): \(reason)" }
}
