import HoldfastNetworking
import HoldfastTrust
import Logging
import Synchronization

/// The shared instance and the state of its configuration.
package final class SharedTrustKit: Sendable {
    /// The instance since the first configuration. A second one replaces it by an instance that refuses every server.
    private let configured = Mutex<TrustKit?>(nil)

    /// The process-wide state, unless a test has replaced it.
    @TaskLocal package static var current = SharedTrustKit()

    private let uninitialised: TrustKitEnvironment

    /// Makes the state. `uninitialised` is the environment of the instance that is returned before configuration.
    package init(uninitialised: TrustKitEnvironment = TrustKitEnvironment()) {
        self.uninitialised = uninitialised
    }

    func instance() -> TrustKit {
        if let instance = configured.withLock(\.self) { return instance }
        let reason = "TrustKit is not initialised. Call TrustKit.initSharedInstance(withConfiguration:) first."
        uninitialised.logger.error("\(reason)")
        return TrustKit(refusing: TrustFinding(.notInitialized, reason), environment: uninitialised)
    }

    func configure(_ configuration: [String: Any], _ environment: TrustKitEnvironment) {
        let instance = TrustKit(configuration: configuration, environment: environment)
        let isSecond = configured.withLock { configured in
            let isSecond = configured != nil
            configured =
                isSecond ? TrustKit(refusing: SharedTrustKit.secondConfiguration, environment: environment) : instance
            return isSecond
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
        let isSecond = configured.withLock { configured in
            defer { configured = configured ?? instance }
            return configured != nil
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
