public import ChatCenterCore
import HoldfastSystem

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The settings of the chat.
///
/// A value type: ``ChatCenterUISDK`` keeps a copy, so later changes have no effect on it.
public struct ChatConfig: Hashable, Sendable {
    /// The addresses of the server.
    public let transportConfig: ChatTransportConfig
    /// The timeouts and pins.
    public var networkConfig: ChatNetworkConfig

    /// Whether the user may type. `true` by default.
    public var userInputEnabled = true
    /// Whether the server's configuration overrides the deprecated settings below. `true` by default.
    public var shouldUseRemoteConfig = true
    /// The seconds between the end of one request for the unread count and the next request. 0, the default, disables
    /// these requests. A negative number counts as 0.
    public var unreadMessageCountDelay = 0
    /// The number of messages that one request for missed messages asks for. 500 by default; clamped to 1 to 1000. The
    /// server may return fewer.
    ///
    /// ``historyLoadingCount`` is the size of the first page of a conversation and of older pages.
    public var catchUpPageSize = 500
    /// Whether messages are accepted while the socket is closed, and sent when it opens. `true` by default.
    ///
    /// If `false`, `send` throws ``ChatCenterUISendMessageError/webSocketNotActive`` while the socket is closed, as
    /// documented.
    public var outboxEnabled = true

    /// The longest time that a message waits for a connection before it fails. One day by default.
    ///
    /// - Error: `SendFailure.expired`
    public var outboxMaximumAge = Duration.seconds(86_400)
    /// The folder for the SDK's data, with a subfolder for each user. `nil`, the default, selects Application Support
    /// on Apple platforms and `$XDG_STATE_HOME/<executable>/ChatCenter` elsewhere.
    ///
    /// The folder must belong to the process's user, must not be a symbolic link, and must not be writable by other
    /// users. Otherwise `authorize` throws ``ChatAuthorizationError``, whose `underlying` is a ``ChatStorageError``
    /// with ``ChatStorageError/Code-swift.struct/unprotected``.
    public var storageDirectory: URL?
    /// The key that encrypts the SDK's data on disk: messages, the outbox and files.
    /// ``ChatStorageKey/kept(read:write:)`` keeps the key in a credential store. With `nil`, the default, anyone who
    /// can read the app's files can read this data.
    ///
    /// Data that was stored without a key is encrypted when the store is next opened. Without the key, or with another
    /// one, `authorize` throws ``ChatAuthorizationError`` whose `underlying` is a ``ChatStorageError``.
    public var storageKey: ChatStorageKey?

    /// Whether an unencrypted store is accepted and encrypted if there is a ``storageKey``. `true` by default.
    ///
    /// Set it to `false` in an app that has used a key since its first version. Otherwise an attacker who can write to
    /// the disk can replace the encrypted store, including unsent messages. If the store is unencrypted, `authorize`
    /// then throws ``ChatAuthorizationError``, whose `underlying` is a ``ChatStorageError`` with
    /// ``ChatStorageError/Code-swift.struct/notSealed``. Files beside an empty store are deleted.
    public var sealsExistingStore = true

    /// The settings that the server may override. The public properties for them are deprecated; the SDK uses this one.
    package var serverDriven = ChatLocalSettings.standard

    /// Creates the settings. All others have their documented defaults.
    public init(transportConfig: ChatTransportConfig, networkConfig: ChatNetworkConfig = .init()) {
        self.transportConfig = transportConfig
        self.networkConfig = networkConfig
    }
}

extension ChatConfig: CustomDebugStringConvertible {
    /// A description of the settings without secrets.
    public var debugDescription: String {
        let pins = networkConfig.sslPinning
        return "ChatConfig(\(transportConfig.debugDescription), "
            + "trustedCertificates: \(pins.trustedCertificates.count), "
            + "allowUntrustedSSLCertificate: \(pins.allowUntrustedSSLCertificate), "
            + "userInputEnabled: \(userInputEnabled), shouldUseRemoteConfig: \(shouldUseRemoteConfig), "
            + "unreadMessageCountDelay: \(unreadMessageCountDelay), outboxEnabled: \(outboxEnabled), "
            + "storage: \(storageKey == nil ? "unencrypted" : "encrypted"))"
    }
}

/// Settings whose documented type is a plain number, as durations.
extension ChatConfig {
    /// ``unreadMessageCountDelay`` as a duration; `nil` if it is 0.
    public var unreadMessageCountInterval: Duration? {
        get { unreadMessageCountDelay > 0 ? .seconds(unreadMessageCountDelay) : nil }
        set { unreadMessageCountDelay = newValue.map { Int(clamping: max(0, $0.components.seconds)) } ?? 0 }
    }

    /// ``surveyCompletionDelay`` as a duration. The server decides it unless ``shouldUseRemoteConfig`` is `false`.
    public var surveyCompletionInterval: Duration {
        get { .milliseconds(max(0, serverDriven.surveyCompletionDelay)) }
        set { serverDriven.surveyCompletionDelay = Int(clamping: max(0, newValue.wholeMilliseconds)) }
    }
}

/// The version of the chat protocol that the app uses with its server. The raw value is sent as `chatApiVersion`.
///
/// The version is not negotiated: the server must support it.
public enum APIVersion: UInt, Hashable, Sendable, CaseIterable {
    /// The first supported version.
    case api17 = 17
    /// Adds the notice about the processing of personal data.
    case api18 = 18
    /// Adds surveys that are answered with buttons.
    case api19 = 19
    /// Adds the notice that a client is no longer blocked.
    case api20 = 20
    /// Adds comments on surveys; all answers of a survey go in one message.
    case api21 = 21
}

/// The settings in effect: the ``EffectiveConfiguration``, and the trust and timeouts that only the app sets.
public struct ChatEffectiveConfig: Hashable, Sendable {
    /// The settings that the server can override, each with its origin.
    public let values: EffectiveConfiguration
    /// The rule by which the SDK decides whether a server is trusted.
    public let security: ChatConnectionSecurity
    /// ``HTTPConfig/connectionTimeout``, clamped.
    public let restTimeout: Duration
    /// ``HTTPConfig/downloadTimeout``, clamped.
    public let downloadTimeout: Duration
    /// ``HTTPConfig/uploadTimeout`` as the idle timeout of an upload, clamped.
    public let uploadIdleTimeout: Duration
    /// The total timeout of an upload: ``HTTPConfig/uploadTotalTimeout`` or ``HTTPConfig/uploadTimeout``, clamped.
    public let uploadTotalTimeout: Duration
    /// ``WSConfig/connectionTimeout``, clamped.
    public let socketTimeout: Duration
    /// ``WSConfig/sendTimeout``, clamped.
    public let sendTimeout: Duration

    init(values: EffectiveConfiguration, security: ChatConnectionSecurity, timeouts: NetworkTimeouts) {
        self.values = values
        self.security = security
        restTimeout = timeouts.rest
        downloadTimeout = timeouts.download
        uploadIdleTimeout = timeouts.uploadIdle
        uploadTotalTimeout = timeouts.uploadTotal
        socketTimeout = timeouts.socket
        sendTimeout = timeouts.send
    }
}
