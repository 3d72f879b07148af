public import Dispatch
import HoldfastFormats
import HoldfastNetworking
public import HoldfastTrust
public import Logging
import Synchronization

/// TrustKit's API for pinning: one configuration for the whole app, and a validator that evaluates each server.
///
/// ```swift
/// TrustKit.initSharedInstance(withConfiguration: [
///     kTSKPinnedDomains: ["example.com": [kTSKPublicKeyHashes: [current, backup], kTSKIncludeSubdomains: true]]
/// ])
/// ```
/// The configuration is read with TrustKit's own rules. Where TrustKit raises an exception, the validator blocks every
/// connection with the finding `notInitialized` or `invalidConfiguration`, and an error is logged. To throw the errors
/// instead, use ``initialize(validating:environment:)``.
///
/// If `kTSKReportUris` contains addresses, failed pins are reported there, by the environment's sink or by a new
/// reporter.
///
/// Nothing is intercepted. If `kTSKSwizzleNetworkDelegates` is `true`, that is logged and listed in ``diagnostics`` as
/// unsupported. <doc:Compatibility> describes which connections are covered.
public final class TrustKit: Sendable {
    /// The callback for each evaluation of a pinned host. It receives the result, the domain whose settings applied,
    /// and these settings with TrustKit's keys. Called on ``pinningValidatorCallbackQueue``.
    public typealias Callback =
        @Sendable (_ result: TSKPinningValidatorResult, _ notedHostname: String, _ policy: [String: Any]) -> Void

    /// Evaluates servers by this configuration.
    public let pinningValidator: TSKPinningValidator
    /// The diagnostics of reading the configuration, including warnings.
    public let diagnostics: [PolicyDiagnostic]
    private let observer: TSKObserver

    /// Makes an instance independent of the shared one. If the configuration is invalid, the instance blocks every
    /// connection and the errors are logged.
    public convenience init(configuration: [String: Any], environment: TrustKitEnvironment = TrustKitEnvironment()) {
        let document = TrustKit.document(configuration)
        do throws(PolicyError) {
            try self.init(document: document.get(), environment: environment)
        } catch {
            let reason = "Invalid TrustKit configuration: \(error)"
            environment.logger.error("\(reason)")
            self.init(refusing: TrustFinding(.invalidConfiguration, reason), environment: environment)
        }
    }

    /// Makes an instance. Throws the errors of the document.
    convenience init(document: PolicyDocument, environment: TrustKitEnvironment) throws(PolicyError) {
        let policy = try document.policy()
        for diagnostic in document.diagnostics where diagnostic.severity == .warning {
            environment.logger.warning("TrustKit configuration: \(diagnostic)")
        }
        var environment = environment
        if environment.sink == nil, policy.rules.contains(where: { !$0.reportURIs.isEmpty }) {
            environment.sink = SharedPinFailureReporter.shared(
                folder: environment.reportFolder, anchors: environment.anchors, clock: environment.clock,
                logger: environment.logger)
        }
        self.init(.policy(policy), document.diagnostics, environment)
    }

    /// Makes an instance that blocks every connection.
    convenience init(refusing finding: TrustFinding, environment: TrustKitEnvironment) {
        self.init(.refusal(finding), [], environment)
    }

    private init(
        _ rule: TSKPinningValidator.Rule, _ diagnostics: [PolicyDiagnostic], _ environment: TrustKitEnvironment
    ) {
        self.diagnostics = diagnostics
        self.observer = TSKObserver()
        self.pinningValidator = TSKPinningValidator(rule, environment, observer)
    }

    /// Reads a configuration with TrustKit's rules.
    static func document(_ configuration: [String: Any]) -> Result<PolicyDocument, PolicyError> {
        Result { () throws(PolicyError) in
            let root = try PropertyNode(configuration: configuration)
            return PolicyFormats.read(propertyList: root, as: .trustKit, named: "TrustKit")
        }
    }

    // MARK: - Callback

    /// Called for each evaluation of a pinned host, but not for `domainNotPinned`.
    public var pinningValidatorCallback: Callback? {
        get { observer.callback }
        set { observer.callback = newValue }
    }

    /// The queue on which ``pinningValidatorCallback`` is called; the main queue by default and after setting `nil`.
    public var pinningValidatorCallbackQueue: DispatchQueue! {
        get { observer.queue }
        set { observer.queue = newValue ?? .main }
    }

    // MARK: - The shared instance

    /// Configures the shared instance once, at the start of the app. On Linux, this logs a warning that native sessions
    /// are not covered, with the replacement code.
    ///
    /// If the configuration is invalid, or at a second call, the shared instance blocks every connection from then on,
    /// and the errors are logged.
    public static func initSharedInstance(
        withConfiguration configuration: [String: Any], environment: TrustKitEnvironment = TrustKitEnvironment()
    ) {
        SharedTrustKit.current.configure(configuration, environment)
    }

    /// Configures the shared instance once. Throws all errors of the configuration together. After an error, the state
    /// is unchanged: not initialised, or configured by an earlier call, which is itself an error.
    public static func initialize(
        validating configuration: [String: Any], environment: TrustKitEnvironment = TrustKitEnvironment()
    ) throws(PolicyError) {
        try SharedTrustKit.current.configure(validating: configuration, environment)
    }

    /// Returns the configured instance. Before configuration, returns an instance that blocks every connection with the
    /// finding `notInitialized`; that instance never changes.
    public static func sharedInstance() -> TrustKit {
        SharedTrustKit.current.instance()
    }
}

/// The callback for evaluations and its queue.
final class TSKObserver: Sendable {
    private struct State {
        var callback: TrustKit.Callback?
        var queue = DispatchQueue.main
    }

    private let state = Mutex(State())

    var callback: TrustKit.Callback? {
        get { state.withLock(\.callback) }
        set { state.withLock { $0.callback = newValue } }
    }

    var queue: DispatchQueue {
        get { state.withLock(\.queue) }
        set { state.withLock { $0.queue = newValue } }
    }

    func tell(of result: TSKPinningValidatorResult, _ pinning: PinningFacts) {
        let (callback, queue) = state.withLock { ($0.callback, $0.queue) }
        guard let callback else { return }
        queue.async { callback(result, pinning.notedHost.text, pinning.trustKitSettings) }
    }
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
