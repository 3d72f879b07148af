package import ChatCenterCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The settings of the chat.
///
/// A value: ``ChatCenterUISDK`` keeps the copy that it is given, and later changes have no effect on it.
public struct ChatConfig: Hashable, Sendable {
    /// Where the server is.
    public let transportConfig: ChatTransportConfig
    /// Time-outs and pins.
    public var networkConfig: ChatNetworkConfig

    /// Whether the user may type. `true` by default.
    public var userInputEnabled = true
    /// Whether the server's configuration overrides the deprecated settings below. `true` by default.
    public var shouldUseRemoteConfig = true
    /// Seconds between the end of one request for the unread count and the next one; 0, the default, for none. A
    /// negative number is taken as 0.
    public var unreadMessageCountDelay = 0
    /// The number of messages that one request for missed messages asks for. 500 by default; clamped to 1 to 1000. The
    /// server may return fewer.
    ///
    /// ``historyLoadingCount`` is the size of the first page of a conversation and of older pages.
    public var catchUpPageSize = 500
    /// Whether a message is taken while the socket is closed, and sent when it opens. `true` by default. With `false`,
    /// `send` throws ``ChatCenterUISendMessageError/webSocketNotActive`` then, as documented.
    public var outboxEnabled = true

    /// How long a message may wait for a connection before it counts as failed. One day by default.
    public var outboxMaximumAge = Duration.seconds(86_400)
    /// The folder that holds what the SDK keeps, a subfolder for each user; `nil`, the default, for Application Support
    /// on Apple platforms and `$XDG_STATE_HOME/<executable>/ChatCenter` elsewhere.
    ///
    /// It must belong to the process's user, must not be a symbolic link, and other users must not be able to write to it:
    /// `authorize` throws ``ChatAuthorizationError`` otherwise, whose `underlying` is a ``ChatStorageError`` with
    /// ``ChatStorageError/Code-swift.struct/unprotected``.
    public var storageDirectory: URL?
    /// Seals what the SDK keeps on the disk: messages, the queue, files. `nil`, the default, keeps it readable for whoever
    /// may read the app's files. ``ChatStorageKey/kept(read:write:)`` keeps the key in a credential store.
    ///
    /// What was kept before there was a key is sealed when the store is opened next. Without the key, or with another one,
    /// `authorize` throws ``ChatAuthorizationError`` whose `underlying` is a ``ChatStorageError``.
    public var storageKey: ChatStorageKey?

    /// Whether a store in the clear is taken over and sealed when there is a ``storageKey``. `true` by default.
    ///
    /// Set it to `false` in an app that had a key from its first version on. Otherwise an attacker who can write to the disk
    /// can replace the sealed store, messages to be sent included. For such a store
    /// `authorize` throws ``ChatAuthorizationError``, whose `underlying` is a ``ChatStorageError`` with
    /// ``ChatStorageError/Code-swift.struct/notSealed``. Files beside an empty store are deleted.
    public var sealsExistingStore = true

    /// What the server's configuration may override. The public properties over it are deprecated; the SDK itself reads
    /// and writes here.
    package var serverDriven = ChatLocalSettings.standard

    /// Puts settings together; the rest have their documented defaults.
    public init(transportConfig: ChatTransportConfig, networkConfig: ChatNetworkConfig = .init()) {
        self.transportConfig = transportConfig
        self.networkConfig = networkConfig
    }
}

extension ChatConfig: CustomDebugStringConvertible {
    /// The settings without secrets.
    public var debugDescription: String {
        let pins = networkConfig.sslPinning
        return "ChatConfig(\(transportConfig.debugDescription), "
            + "trustedCertificates: \(pins.trustedCertificates.count), "
            + "allowUntrustedSSLCertificate: \(pins.allowUntrustedSSLCertificate), "
            + "userInputEnabled: \(userInputEnabled), shouldUseRemoteConfig: \(shouldUseRemoteConfig), "
            + "unreadMessageCountDelay: \(unreadMessageCountDelay), outboxEnabled: \(outboxEnabled), "
            + "storage: \(storageKey == nil ? "as it is" : "sealed"))"
    }
}

/// Settings whose documented type is a bare number, with their unit in the type.
extension ChatConfig {
    /// ``unreadMessageCountDelay`` as a duration; `nil` where it is 0.
    public var unreadMessageCountInterval: Duration? {
        get { unreadMessageCountDelay > 0 ? .seconds(unreadMessageCountDelay) : nil }
        set { unreadMessageCountDelay = newValue.map { Int(clamping: max(0, $0.components.seconds)) } ?? 0 }
    }

    /// ``surveyCompletionDelay`` as a duration. Decided by the server unless ``shouldUseRemoteConfig`` is `false`.
    public var surveyCompletionInterval: Duration {
        get { .milliseconds(max(0, serverDriven.surveyCompletionDelay)) }
        set {
            let (seconds, attoseconds) = newValue.components
            let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
            serverDriven.surveyCompletionDelay =
                overflow ? .max : Int(clamping: max(0, milliseconds &+ attoseconds / 1_000_000_000_000_000))
        }
    }
}

/// The version of the chat protocol that the app speaks with its server. The raw value is what goes over the wire as
/// `chatApiVersion`.
///
/// Nothing discovers it: it must be one that the server knows.
public enum APIVersion: UInt, Hashable, Sendable, CaseIterable {
    /// The baseline.
    case api17 = 17
    /// Adds the notice about the processing of personal data.
    case api18 = 18
    /// Adds surveys that are answered with buttons.
    case api19 = 19
    /// Adds the notice that a blocked client is unblocked.
    case api20 = 20
    /// Adds comments on surveys; all answers of a survey go in one message.
    case api21 = 21
}
