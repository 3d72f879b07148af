import ChatCenterCore
import Foundation
import HoldfastTrust

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
