public import HoldfastTrust

/// An event of the collector. Texts are safe to print: control characters are escaped, and long texts are cut.
public enum ReportCollectorEvent: Sendable, Hashable {
    /// A report was stored.
    case stored(Stored)
    /// A report was received again and is not stored twice; the number is that of the first one.
    case repeated(Int64)
    /// A number of requests were refused with this HTTP status and code. The first is delivered at once, those of the
    /// next second together.
    case refused(status: Int, code: String, count: Int)
    /// The database cannot be written or read. Reports are refused with 503 until it can.
    case storageFailed(reason: String)
    /// A roll-out must stop, because its installations fail more often than others. The desk shows the command that
    /// stops it.
    case rolloutStopped(Rollout, reason: String)
    /// A signed halt was written to ``ReportHaltOutput/path``. It lasts until this time, and is renewed before.
    case haltPublished(Rollout, until: Timestamp)
    /// A roll-out must stop, but the halt cannot be published. Repeated every minute.
    case haltFailed(Rollout, reason: String)
    /// A number of events were dropped, because ``ReportCollectorConfiguration/onEvent`` was too slow.
    case dropped(Int)

    /// The version of an application's bundle that is being rolled out.
    public struct Rollout: Sendable, Hashable {
        /// The application.
        public var application: String
        /// The version.
        public var version: Int64
    }

    /// A summary of a stored report.
    public struct Stored: Sendable, Hashable {
        /// The report's number.
        public var id: Int64
        /// The time of arrival.
        public var receivedAt: Timestamp
        /// The host that the app connected to.
        public var host: String
        /// The port; 0 if the report does not contain it.
        public var port: Int
        /// TrustKit's result; `nil` for RFC 7469.
        public var result: TrustKitResult?
        /// The app and its version, if the report contains them.
        public var app: String?
        /// Whether the app refused the connection, if the report contains it.
        public var isEnforced: Bool?
    }
}
