package import ChatCenterCore
import Dispatch
import Foundation
package import HoldfastTrust

/// What the app decided, in the forms in which the driver needs it.
struct DriverConfiguration: Sendable {
    let providerUID: String
    let appMarker: String?
    let config: ChatConfig
    let timeouts: NetworkTimeouts
    let trust: ChatTrust
    let tokenProvider: ChatTokenProvider?
    /// Where the users' folders lie.
    let root: URL
    /// What servers showed when they were accepted.
    let accepted: AcceptedKeys

    /// The core's settings. Reads the installation's identifier, and makes it the first time.
    func settings() -> ChatSettings {
        settings(for: .current(uid: InstallationID.read(in: root)))
    }

    /// The values in force before a server was asked. Does no I/O.
    var initialValues: EffectiveConfiguration {
        ChatCore(settings: settings(for: DeviceDescription())).configuration
    }

    /// What the configuration gives cause to say when the SDK is made.
    var notes: [ChatLogLine] {
        config.transportConfig.problems.map { problem in
            ChatLogLine(.error, "ChatTransportConfig cannot be used, no connection will be opened. \(problem)")
        } + timeouts.notes + trust.notes + hostsWithoutPins
    }

    /// The chat's own hosts that the policy pins no key of.
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
                    ? "No rule of the policy “\(policy.name)” pins \(host): it is refused."
                    : "No rule of the policy “\(policy.name)” pins \(host): the system's verification decides.")
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

    /// The folder of a user.
    func folder(of clientID: String) -> UserFolder {
        UserFolder(
            root: root, providerUID: providerUID, appMarker: appMarker, clientID: clientID, key: config.storageKey)
    }

    /// Deletes a copy of a file, if it is one of ours: a file among the copies in a user's folder.
    func discard(_ file: LocalFile) {
        guard file.path.hasPrefix(root.path + "/") else { return }
        let parts = file.path.dropFirst(root.path.count + 1).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, UserFolder.isName(String(parts[0])), parts[1] == "files",
            UserFolder.isFileName(String(parts[2]))
        else { return }
        try? FileManager.default.removeItem(atPath: file.path)
    }
}

/// What the chat takes from the world around it. Tests and demonstrations replace parts of it.
package struct ChatEnvironment: Sendable {
    /// Time, and the one timer.
    package var clock: any ChatClock = SystemChatClock()
    /// Fresh randomness.
    package var entropy: @Sendable () -> UInt64 = { .random(in: .min ... .max) }
    /// New identifiers.
    package var identifier: @Sendable () -> String = { UUID().uuidString.lowercased() }
    /// The time of trust decisions.
    package var trustClock = TrustClock.system
    /// The roots of the system's verification.
    package var anchors = TrustAnchors.system
    /// Addresses to dial in place of hosts.
    package var hostOverrides: [String: String] = [:]
    /// Asks the system to let the process run for so many milliseconds after it went to the background; `nil` when that
    /// is over.
    package var holdProcess: @Sendable (Int64?) -> Void = ProcessHold.ofTheSystem()
    /// What watches the device's way to the network.
    package var makePathMonitor: @Sendable () -> any ChatPathMonitor = { SystemPathMonitor.make() }
    /// Runs work a moment after the SDK was made, on a thread of its own: the start of an app has other things to read first.
    package var afterStart: @Sendable (@escaping @Sendable () -> Void) -> Void = { work in
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(2), execute: work)
    }
    /// Makes an executor of this name. The chat has three: for the core, for what is read of the store, and for what apps
    /// are told.
    package var makeExecutor: @Sendable (String) -> any ChatExecutor = { QueueExecutor($0) }
    /// Another network than the real one; it gets the sink for its events.
    package var makeNetwork: (@Sendable (@escaping @Sendable (NetworkEvent) -> Void) -> any ChatNetwork)?
    /// The core's settings, in place of those that follow from the app's configuration and this machine.
    package var settings: ChatSettings?
    /// The push token of this device.
    package var deviceToken: @Sendable () -> String? = { DeviceToken.current }
    /// Asks for a token in place of the app's provider. The answer may come at any time, on any thread.
    package var askForToken: (@Sendable (TokenAttempt, _ answer: @escaping @Sendable (ChatAuth?) -> Void) -> Void)?
    /// Follows what the driver does.
    package var watch: (any ChatDriverWatch)?

    /// The real world.
    package init() {}
}
