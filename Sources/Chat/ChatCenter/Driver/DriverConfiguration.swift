package import ChatCenterCore
import Dispatch
import Foundation
package import HoldfastTrust

/// The app's settings in the form that the driver needs.
struct DriverConfiguration: Sendable {
    let providerUID: String
    let appMarker: String?
    let config: ChatConfig
    let timeouts: NetworkTimeouts
    let trust: ChatTrust
    let tokenProvider: ChatTokenProvider?
    /// The folder that contains the users' folders.
    let root: URL
    /// The keys of accepted servers.
    let accepted: AcceptedKeys

    /// Returns the core's settings. Reads the installation's identifier, and creates it the first time.
    func settings() -> ChatSettings {
        settings(for: .current(uid: InstallationID.read(in: root)))
    }

    /// The settings in effect before a response of the server. Does no I/O.
    var initialValues: EffectiveConfiguration {
        ChatCore(settings: settings(for: DeviceDescription())).configuration
    }

    /// The log lines about the configuration, written when the SDK is created.
    var notes: [ChatLogLine] {
        config.transportConfig.problems.map { problem in
            ChatLogLine(.error, "ChatTransportConfig cannot be used. No connection is opened. \(problem)")
        } + timeouts.notes + trust.notes + hostsWithoutPins
    }

    /// Log lines for the chat's own hosts without pins in the policy.
    private var hostsWithoutPins: [ChatLogLine] {
        guard let policy = config.networkConfig.sslPinning.policy, let endpoints = config.transportConfig.endpoints
        else { return [] }
        var hosts: [CanonicalHost] = []
        for host in [endpoints.rest, endpoints.webSocket, endpoints.dataStore].map(\.host) where !hosts.contains(host) {
            hosts.append(host)
        }
        return hosts.filter { policy.rules(covering: $0).allSatisfy(\.isExcluded) }.map { host in
            ChatLogLine(
                [.error],
                policy.requiresRuleForEveryHost
                    ? "No rule of the policy “\(policy.name)” pins \(host). Connections to it are refused."
                    : "No rule of the policy “\(policy.name)” pins \(host). The system's verification decides.")
        }
    }

    private func settings(for device: DeviceDescription) -> ChatSettings {
        ChatSettings(
            providerUID: providerUID, appMarker: appMarker,
            apiVersion: Int64(config.transportConfig.apiVersion.rawValue),
            device: device, local: config.serverDriven,
            shouldUseRemoteConfig: config.shouldUseRemoteConfig, userInputEnabled: config.userInputEnabled,
            unreadMessageCountDelay: Int64(clamping: max(0, config.unreadMessageCountDelay)),
            catchUpPageSize: config.catchUpPageSize, connectionTimeout: timeouts.socket.milliseconds,
            sendTimeout: timeouts.send.milliseconds,
            sendTimeoutMode: config.networkConfig.wsConfig.sendTimeoutMode,
            uploadTimeout: timeouts.uploadTotal.milliseconds, outboxEnabled: config.outboxEnabled,
            queuedMaximumAge: min(max(config.outboxMaximumAge, .milliseconds(1)), ClampedTimeout.longest).milliseconds,
            hasTokenProvider: tokenProvider != nil)
    }

    /// Returns the folder of a user.
    func folder(of clientID: String) -> UserFolder {
        UserFolder(
            root: root, providerUID: providerUID, appMarker: appMarker, clientID: clientID, key: config.storageKey)
    }

    /// Deletes a copy of a file. Other files than copies in a user's folder are ignored.
    func discard(_ file: LocalFile) {
        guard file.path.hasPrefix(root.path + "/") else { return }
        let parts = file.path.dropFirst(root.path.count + 1).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, UserFolder.isName(String(parts[0])), parts[1] == "files",
            UserFolder.isFileName(String(parts[2]))
        else { return }
        try? FileManager.default.removeItem(atPath: file.path)
    }
}

/// The external dependencies of the chat. Tests and demonstrations replace parts of it.
package struct ChatEnvironment: Sendable {
    /// The clock, with its only timer.
    package var clock: any ChatClock = SystemChatClock()
    /// Returns random bits.
    package var entropy: @Sendable () -> UInt64 = { .random(in: .min ... .max) }
    /// Returns a new identifier.
    package var identifier: @Sendable () -> String = { UUID().uuidString.lowercased() }
    /// The time for trust decisions.
    package var trustClock = TrustClock.system
    /// The roots of the system's verification.
    package var anchors = TrustAnchors.system
    /// Addresses to connect to in place of hosts.
    package var hostOverrides: [String: String] = [:]
    /// Asks the system to let the process run for the given number of milliseconds in the background; `nil` ends the
    /// request.
    package var holdProcess: @Sendable (Int64?) -> Void = ProcessHold.ofTheSystem()
    /// Creates the observer of the device's network path.
    package var makePathMonitor: @Sendable () -> any ChatPathMonitor = { SystemPathMonitor.make() }
    /// Runs work shortly after the SDK was created, on another thread, because an app reads other files when it starts.
    package var afterStart: @Sendable (@escaping @Sendable () -> Void) -> Void = { work in
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(2), execute: work)
    }
    /// Creates an executor with the given name. The chat has three: for the core, for reading the store, and for
    /// callbacks of the app.
    package var makeExecutor: @Sendable (String) -> any ChatExecutor = { QueueExecutor($0) }
    /// Creates a network in place of the real one. The parameter receives its events.
    package var makeNetwork: (@Sendable (@escaping @Sendable (NetworkEvent) -> Void) -> any ChatNetwork)?
    /// The core's settings, in place of those from the app's configuration and this device.
    package var settings: ChatSettings?
    /// Returns the push token of this device.
    package var deviceToken: @Sendable () -> String? = { DeviceToken.current }
    /// Requests a token, in place of the app's provider. The result may arrive at any time, on any thread.
    package var askForToken: (@Sendable (TokenAttempt, _ answer: @escaping @Sendable (ChatAuth?) -> Void) -> Void)?
    /// Observes the driver.
    package var watch: (any ChatDriverWatch)?

    /// Creates the environment of an app.
    package init() {}
}
