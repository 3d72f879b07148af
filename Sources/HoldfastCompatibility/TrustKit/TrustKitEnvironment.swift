public import HoldfastTrust
public import Logging

/// What a ``TrustKit`` needs from the app beside its configuration.
public struct TrustKitEnvironment: Sendable {
    /// Where the paths of servers may end.
    public var anchors: TrustAnchors
    /// Where the time of an evaluation comes from.
    public var clock: TrustClock
    /// Takes the verdicts on pinned hosts, and with them the reports of those that failed. `nil`: nothing is reported.
    public var sink: (any TrustEventSink)?
    /// Where configuration errors and blocked connections are logged.
    public var logger: Logger

    /// Collects what is needed. By default the machine's roots and clock, and nobody who takes reports.
    public init(
        anchors: TrustAnchors = .system, clock: TrustClock = .system, sink: (any TrustEventSink)? = nil,
        logger: Logger = Logger(label: "holdfast.trustkit")
    ) {
        self.anchors = anchors
        self.clock = clock
        self.sink = sink
        self.logger = logger
    }
}
