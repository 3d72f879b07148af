import HoldfastNetworking
import HoldfastTrust
import Logging
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
        logger.warning("TrustKit does not cover native sessions. \(NativeSession.hint)")
        #endif
    }

    private static let secondConfiguration = TrustFinding(
        .invalidConfiguration,
        "TrustKit was initialised twice. Which configuration is meant cannot be known, so no connection is let through."
    )
}
