import HoldfastNetworking
public import HoldfastTrust
public import Logging
import Synchronization

/// The shared instance and what became of the attempts to configure it.
package final class SharedTrustKit: Sendable {
    private enum State {
        case untouched
        case configured(TrustKit)
        case refusing(TrustKit)
    }

    private let state = Mutex(State.untouched)

    /// The process's own, unless a test has put another in its place.
    @TaskLocal package static var current = SharedTrustKit()

    private let uninitialised: TrustKitEnvironment

    /// `uninitialised` is what the instance has that is handed out before there is a configuration.
    package init(uninitialised: TrustKitEnvironment = TrustKitEnvironment()) {
        self.uninitialised = uninitialised
    }

    func instance() -> TrustKit {
        switch state.withLock({ $0 }) {
        case .configured(let instance), .refusing(let instance): return instance
        case .untouched:
            let reason = "TrustKit was not initialised: call TrustKit.initSharedInstance(withConfiguration:) first."
            uninitialised.logger.error("\(reason)")
            return TrustKit(refusing: TrustFinding(.notInitialized, reason), environment: uninitialised)
        }
    }

    func configure(_ configuration: [String: Any], _ environment: TrustKitEnvironment) {
        let instance = TrustKit(configuration: configuration, environment: environment)
        let isSecond = state.withLock { state in
            if case .untouched = state {
                state = .configured(instance)
                return false
            }
            state = .refusing(
                TrustKit(refusing: SharedTrustKit.secondConfiguration, environment: environment))
            return true
        }
        if isSecond {
            environment.logger.error("\(SharedTrustKit.secondConfiguration.reason)")
        } else {
            Self.warnOfNativeSessions(environment.logger)
        }
    }

    func configure(validating configuration: [String: Any], _ environment: TrustKitEnvironment) throws(PolicyError) {
        let document = try TrustKit.document(configuration).get()
        let instance = try TrustKit(document: document, environment: environment)
        let isSecond = state.withLock { state in
            guard case .untouched = state else { return true }
            state = .configured(instance)
            return false
        }
        if isSecond {
            throw PolicyError(problems: [.init(path: "", reason: "TrustKit was initialised already")])
        }
        Self.warnOfNativeSessions(environment.logger)
    }

    private static func warnOfNativeSessions(_ logger: Logger) {
        #if !canImport(Darwin)
        logger.warning("TrustKit does not cover native sessions. \(NativeSessionWarning.hint)")
        #endif
    }

    private static let secondConfiguration = TrustFinding(
        .invalidConfiguration,
        "TrustKit was initialised twice. Which configuration is meant cannot be known, so no connection is let through."
    )
}

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
