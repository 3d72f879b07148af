public import Dispatch
import Foundation
import HoldfastFormats
import HoldfastNetworking
public import HoldfastTrust
import Logging
import Synchronization

/// TrustKit's way to pin: one configuration for the whole app, and a validator that is asked about each server.
///
/// ```swift
/// TrustKit.initSharedInstance(withConfiguration: [
///     kTSKPinnedDomains: ["example.com": [kTSKPublicKeyHashes: [current, backup], kTSKIncludeSubdomains: true]]
/// ])
/// ```
/// The configuration is read with TrustKit's own rules. Where TrustKit raises an exception nothing traps here: the validator
/// blocks every connection, with the finding `notInitialized` or `invalidConfiguration`, and an error is logged. To have the
/// errors thrown, use ``initialize(validating:environment:)``.
///
/// Where `kTSKReportUris` names addresses, failed pins are reported there: by the environment's sink, or by a reporter that is started.
///
/// Nothing is intercepted. `kTSKSwizzleNetworkDelegates` set to `true` is logged and listed in ``diagnostics`` as not honoured;
/// which connections are covered by what is told in `docs/compatibility.md`.
public final class TrustKit: Sendable {
    /// Told of each evaluation of a pinned host: the result, the domain whose settings applied, and these settings with
    /// TrustKit's keys. Called on ``pinningValidatorCallbackQueue``.
    public typealias Callback =
        @Sendable (_ result: TSKPinningValidatorResult, _ notedHostname: String, _ policy: [String: Any]) -> Void

    /// Evaluates servers by this configuration.
    public let pinningValidator: TSKPinningValidator
    /// What the configuration's reader found, warnings included.
    public let diagnostics: [PolicyDiagnostic]
    private let observer: TSKObserver

    /// Makes an instance of its own beside the shared one. A configuration that cannot be honoured yields an instance that
    /// blocks every connection, and is logged.
    public convenience init(configuration: [String: Any], environment: TrustKitEnvironment = TrustKitEnvironment()) {
        let document = TrustKit.document(configuration)
        do throws(PolicyError) {
            try self.init(document: document.get(), environment: environment)
        } catch {
            let reason = "TrustKit's configuration cannot be honoured: \(error)"
            environment.logger.error("\(reason)")
            self.init(refusing: TrustFinding(.invalidConfiguration, reason), environment: environment)
        }
    }

    /// Throws what is wrong with the document.
    convenience init(document: PolicyDocument, environment: TrustKitEnvironment) throws(PolicyError) {
        let policy = try document.policy()
        for diagnostic in document.diagnostics where diagnostic.severity == .warning {
            environment.logger.warning("TrustKit's configuration: \(diagnostic)")
        }
        var environment = environment
        if environment.sink == nil, policy.rules.contains(where: { !$0.reportURIs.isEmpty }) {
            environment.sink = BackgroundReporter.shared(
                folder: environment.reportFolder, anchors: environment.anchors, clock: environment.clock,
                logger: environment.logger)
        }
        self.init(.policy(policy), document.diagnostics, environment)
    }

    /// Makes an instance that blocks everything.
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

    /// Told of each evaluation of a pinned host. There is none for `domainNotPinned`.
    public var pinningValidatorCallback: Callback? {
        get { observer.callback }
        set { observer.callback = newValue }
    }

    /// Where ``pinningValidatorCallback`` is called; the main queue by default, and again after `nil`.
    public var pinningValidatorCallbackQueue: DispatchQueue! {
        get { observer.queue }
        set { observer.queue = newValue ?? .main }
    }

    // MARK: - The shared instance

    /// Configures the shared instance, once, at the start of the app. On Linux a warning is logged that native sessions are not
    /// covered, with the line that covers them.
    ///
    /// With a configuration that cannot be honoured, or at a second call, the shared instance blocks every connection from
    /// then on, and the errors are logged.
    public static func initSharedInstance(
        withConfiguration configuration: [String: Any], environment: TrustKitEnvironment = TrustKitEnvironment()
    ) {
        SharedTrustKit.current.configure(configuration, environment)
    }

    /// Configures the shared instance, once, and throws all errors of the configuration together. After an error everything
    /// is as it was before: not initialised, or configured by an earlier call, which is an error itself.
    public static func initialize(
        validating configuration: [String: Any], environment: TrustKitEnvironment = TrustKitEnvironment()
    ) throws(PolicyError) {
        try SharedTrustKit.current.configure(validating: configuration, environment)
    }

    /// The instance that was configured. Before that it is one that blocks every connection with the finding
    /// `notInitialized`, and goes on doing so.
    public static func sharedInstance() -> TrustKit {
        SharedTrustKit.current.instance()
    }
}

/// Who is told of evaluations, and where.
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
