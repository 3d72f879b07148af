public import HoldfastTrust
public import Metrics

extension PinFailureReporter {
    /// What a reporter needs to know. Copied by it: later changes have no effect.
    public struct Configuration: Sendable {
        /// The folder on the disk that belongs to the reporter alone: it is made with mode 0700 if it is missing, its parents are
        /// not. One that exists must belong to the user and be closed to everybody else. Each process needs its own.
        public var folder: String
        /// Who reports. Where ``ReportIdentity/vendorID`` is empty, a random one is made once and kept in the folder.
        public var identity: ReportIdentity
        /// How often the same failure is reported, and how many an hour.
        public var ledger = ReportLedger.Limits()
        /// How much waits on the disk.
        public var limits = ReportSpoolLimits()
        /// The forms in which a failure is told. TrustKit's alone by default.
        public var formats: Set<ReportFormat> = [.trustKit]
        /// What is left out of reports. Nothing by default.
        public var redaction: ReportRedaction = []
        /// What is different for some addresses, by the address as the policy writes it: header fields such as `Authorization`, forms,
        /// redaction. An address that only a policy names gets none of these fields.
        public var endpoints: [String: ReportEndpoint] = [:]
        /// How many failures wait in memory to be looked at. 100 by default, at least one.
        public var waiting = 100
        /// The anchors of the system verification that judges collectors. No pin applies to them: a report on wrong pins must
        /// not be kept back by wrong pins.
        public var anchors: TrustAnchors = .system
        /// The waits after failures: up to 30 seconds after the first, up to six hours after many; a collector may ask for a day.
        public var backoff = Backoff(base: 30, ceiling: 6 * 3_600, retryAfterCeiling: 86_400)
        /// The longest time for one attempt, from the connection to the head of the answer. Thirty seconds by default.
        public var attemptTimeout: Duration = .seconds(30)
        /// Which connections go through which proxy. None by default.
        public var proxies: ProxySelection = .none
        /// Where the time comes from.
        public var clock: TrustClock = .system
        /// Where metrics go; `nil`: to the process-wide `MetricsSystem.factory`, as it is when the reporter is made.
        public var metrics: (any MetricsFactory)?
        /// Addresses (or names) to dial in place of a collector's host: for tests and demonstrations.
        public var hostOverrides: [String: String] = [:]
        /// Told what becomes of reports. Called on threads that may block, while the reporter's own work waits: return soon, and do
        /// not call the reporter's `run`.
        public var onEvent: (@Sendable (ReportEvent) -> Void)?

        /// Makes a configuration.
        public init(folder: String, identity: ReportIdentity) {
            self.folder = folder
            self.identity = identity
        }
    }
}
