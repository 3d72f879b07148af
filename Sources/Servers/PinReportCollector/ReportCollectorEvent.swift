public import HoldfastTrust

/// What became of a report. Texts are made safe to print: control characters are escaped and long texts cut.
public enum ReportCollectorEvent: Sendable, Hashable {
    /// A report is in the database.
    case stored(Stored)
    /// A report came again and is not stored once more; the number is the first one's.
    case repeated(Int64)
    /// So many requests were refused with this HTTP status, for this reason. The first is told at once, those of the
    /// second after it together.
    case refused(status: Int, code: String, count: Int)
    /// The database cannot be written or read: reports are refused with 503 until it can.
    case storageFailed(reason: String)
    /// So many events were not told: more came than ``ReportCollectorConfiguration/onEvent`` has taken.
    case dropped(Int)

    /// What a stored report says in short.
    public struct Stored: Sendable, Hashable {
        /// Its number.
        public var id: Int64
        /// When it came.
        public var receivedAt: Timestamp
        /// The host and port that the app meant to reach.
        public var host: String
        /// The port; 0 where the app did not say.
        public var port: Int
        /// TrustKit's result; RFC 7469 has none.
        public var result: TrustKitResult?
        /// The app and its version, where the report tells.
        public var app: String?
        /// Whether the app refused the connection, where the report tells.
        public var isEnforced: Bool?
    }
}
