public import HTTPTypes
public import HoldfastTrust
public import Metrics

extension PinFailureReporter {
    /// The configuration of a reporter. The reporter copies it, so later changes have no effect.
    public struct Configuration: Sendable {
        /// The folder for the reporter's files, which only one process may use at a time.
        ///
        /// A missing folder is created with mode 0700; its parents must exist. An existing folder must belong to the
        /// user and must not be accessible to others.
        public var folder: String
        /// The identity in reports. If `ReportIdentity.vendorID` is empty, a random one is created once and stored in
        /// the folder.
        public var identity: ReportIdentity
        /// The limits for repeated reports of the same failure and for reports per hour.
        public var ledger = ReportLedger.Limits()
        /// The limits for reports waiting on disk.
        public var limits = ReportSpoolLimits()
        /// The formats of reports. Only TrustKit's by default.
        public var formats: Set<ReportFormat> = [.trustKit]
        /// The data to omit from reports. None by default.
        public var redaction: ReportRedaction = []
        /// Settings for single addresses, by the address as the policy writes it: header fields such as
        /// `Authorization`, formats and redaction. Addresses without an entry do not receive these fields.
        public var endpoints: [String: ReportEndpoint] = [:]
        /// Returns the version of the policy bundle in force, as in `{ holder.version }`. Reports in TrustKit's format
        /// then contain it as `holdfast-policy-version`, so that a collector shows which versions are affected. Must
        /// return quickly.
        public var policyVersion: (@Sendable () -> Int64?)?
        /// The number of failures that wait in memory to be processed. 100 by default, at least one.
        public var waiting = 100
        /// The trust anchors for the system verification of collectors. Pins never apply to collectors, because wrong
        /// pins must not suppress a report about them.
        public var anchors: TrustAnchors = .system
        /// The waits after failures: up to 30 seconds after the first, up to six hours after many. A collector may
        /// request up to one day.
        public var backoff = Backoff(base: 30, ceiling: 6 * 3_600, retryAfterCeiling: 86_400)
        /// The maximum time for one attempt, from connecting to the head of the response. Thirty seconds by default.
        public var attemptTimeout: Duration = .seconds(30)
        /// The proxies to use. None by default.
        public var proxies: ProxySelection = .none
        /// The clock for reports.
        public var clock: TrustClock = .system
        /// The factory for metrics. If `nil`, the reporter uses `MetricsSystem.factory` as set when the reporter is
        /// created.
        public var metrics: (any MetricsFactory)?
        /// Addresses or names to connect to in place of a collector's host, for tests and demonstrations.
        public var hostOverrides: [String: String] = [:]
        /// A closure that is called with the events of reports. It runs on threads that may block, but the reporter
        /// waits for it, so it should return quickly. It must not call the reporter's `run`.
        public var onEvent: (@Sendable (ReportEvent) -> Void)?

        /// Creates a configuration.
        public init(folder: String, identity: ReportIdentity) {
            self.folder = folder
            self.identity = identity
        }
    }
}

/// The settings for reports to one address.
public struct ReportEndpoint: Sendable {
    /// Header fields for each report, such as `Authorization`. They are kept only in memory and sent only to this
    /// address.
    public var fields: HTTPFields
    /// The formats to send, each in its own request. If `nil`, those of ``PinFailureReporter/Configuration``.
    public var formats: Set<ReportFormat>?
    /// The data to omit. If `nil`, the setting of ``PinFailureReporter/Configuration``.
    public var redaction: ReportRedaction?

    /// Creates settings.
    public init(fields: HTTPFields = [:], formats: Set<ReportFormat>? = nil, redaction: ReportRedaction? = nil) {
        self.fields = fields
        self.formats = formats
        self.redaction = redaction
    }
}

/// The format of a report.
public enum ReportFormat: String, Hashable, Sendable, CaseIterable {
    /// TrustKit's JSON, field for field.
    case trustKit
    /// The JSON of RFC 7469, 3.
    case hpkp
}
