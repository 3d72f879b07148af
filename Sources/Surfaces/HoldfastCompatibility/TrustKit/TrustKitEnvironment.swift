public import HoldfastTrust
public import Logging

/// What a ``TrustKit`` needs from the app beside its configuration.
public struct TrustKitEnvironment: Sendable {
    /// Where the paths of servers may end.
    public var anchors: TrustAnchors
    /// Where the time of an evaluation comes from.
    public var clock: TrustClock
    /// Takes the verdicts on pinned hosts, and with them the reports of those that failed. `nil`: where the configuration has
    /// `kTSKReportUris`, a reporter is started that sends the reports there, and to nobody else.
    public var sink: (any TrustEventSink)?
    /// The folder of the reporter that is started without a ``sink``; `nil`: `$XDG_STATE_HOME/SERVICE/pin-reports` or that below
    /// `~/.local/state`, on Apple platforms `pin-reports` in the app's support folder. It must belong to one process alone.
    public var reportFolder: String?
    /// Where configuration errors and blocked connections are logged.
    public var logger: Logger

    /// Collects what is needed. By default the machine's roots and clock, and a reporter where the configuration asks for one.
    public init(
        anchors: TrustAnchors = .system, clock: TrustClock = .system, sink: (any TrustEventSink)? = nil,
        reportFolder: String? = nil, logger: Logger = Logger(label: "holdfast.trustkit")
    ) {
        self.anchors = anchors
        self.clock = clock
        self.sink = sink
        self.reportFolder = reportFolder
        self.logger = logger
    }
}
