import ChatCenterCore
import Foundation
import HoldfastSystem
import HoldfastTrust

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

    /// Returns the verification that protects the chat's connections at a time. An address without TLS is not verified.
    func screenSecurity(at time: Timestamp) -> ChatScreenSecurity {
        let addresses = config.transportConfig.endpoints.map { [$0.rest, $0.webSocket, $0.dataStore] } ?? []
        guard addresses.allSatisfy({ $0.scheme == "https" || $0.scheme == "wss" }) else { return .unverified }
        return trust.screenSecurity(of: addresses.map(\.host), at: time)
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
            catchUpPageSize: config.catchUpPageSize, connectionTimeout: timeouts.socket.wholeMilliseconds,
            sendTimeout: timeouts.send.wholeMilliseconds,
            sendTimeoutMode: config.networkConfig.wsConfig.sendTimeoutMode,
            uploadTimeout: timeouts.uploadTotal.wholeMilliseconds, outboxEnabled: config.outboxEnabled,
            queuedMaximumAge: min(max(config.outboxMaximumAge, .milliseconds(1)), ClampedTimeout.longest)
                .wholeMilliseconds,
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
