import HoldfastNetworking
public import HoldfastTrust
public import Logging
import Synchronization

/// The shared instance and the state of its configuration.
package final class SharedTrustKit: Sendable {
    private enum State {
        case untouched
        case configured(TrustKit)
        case refusing(TrustKit)
    }

    private let state = Mutex(State.untouched)

    /// The process-wide state, unless a test has replaced it.
    @TaskLocal package static var current = SharedTrustKit()

    private let uninitialised: TrustKitEnvironment

    /// Makes the state. `uninitialised` is the environment of the instance that is returned before configuration.
    package init(uninitialised: TrustKitEnvironment = TrustKitEnvironment()) {
        self.uninitialised = uninitialised
    }

    func instance() -> TrustKit {
        switch state.withLock({ $0 }) {
        case .configured(let instance), .refusing(let instance): return instance
        case .untouched:
            let reason = "TrustKit is not initialised. Call TrustKit.initSharedInstance(withConfiguration:) first."
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
            throw PolicyError(problems: [.init(path: "", reason: "TrustKit is already initialised")])
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
        "TrustKit was initialised twice. The intended configuration is unknown, so every connection is refused."
    )
}

/// The environment of a ``TrustKit`` instance, in addition to its configuration.
public struct TrustKitEnvironment: Sendable {
    /// The certificates in which the servers' verified paths may end.
    public var anchors: TrustAnchors
    /// The clock for evaluations.
    public var clock: TrustClock
    /// Receives the verdicts on pinned hosts, including the reports of failures. If it is `nil` and the configuration
    /// has `kTSKReportUris`, a reporter is started that sends reports only to these addresses.
    public var sink: (any TrustEventSink)?
    /// The folder of the reporter that is started without a ``sink``. It must belong to one process alone. `nil`
    /// selects `$XDG_STATE_HOME/SERVICE/pin-reports`, or the same path below `~/.local/state`. On Apple platforms, it
    /// selects `pin-reports` in the app's support folder.
    public var reportFolder: String?
    /// Logs configuration errors and blocked connections.
    public var logger: Logger

    /// Makes an environment. By default it uses the machine's roots and clock, and a reporter if the configuration has
    /// report addresses.
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
