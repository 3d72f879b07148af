/// All settings of a core, as the host application set them. They do not change during the life of the core.
///
/// They contain the ``ChatLocalSettings``, which the server can override. ``EffectiveConfiguration`` is the result.
package struct ChatSettings: Hashable, Sendable {
    package var providerUID: String
    package var appMarker: String?
    /// The version of the API: 17 to 21.
    package var apiVersion: Int64
    package var device: DeviceDescription
    package var local: ChatLocalSettings
    package var shouldUseRemoteConfig: Bool
    package var userInputEnabled: Bool
    /// The interval between two requests for the unread count, in seconds; 0 disables them.
    package var unreadMessageCountDelay: Int64
    /// The number of messages that one request for missed messages asks for. A large page saves round trips.
    package var catchUpPageSize: Int
    /// `WSConfig.connectionTimeout`: the time limit for each step of the handshake, in milliseconds.
    package var connectionTimeout: Int64
    /// `WSConfig.sendTimeout`, in milliseconds.
    package var sendTimeout: Int64
    package var sendTimeoutMode: SendTimeoutMode
    /// The longest time for all upload attempts of one file together, in milliseconds: `HTTPConfig.uploadTotalTimeout`,
    /// or `uploadTimeout` without one.
    package var uploadTimeout: Int64
    /// Whether messages wait for a connection. If false, `send` is refused without a live socket.
    package var outboxEnabled: Bool
    /// The longest time that a message may wait for a connection, in milliseconds.
    package var queuedMaximumAge: Int64
    /// Whether the host application can provide a new token.
    package var hasTokenProvider: Bool

    package init(
        providerUID: String, appMarker: String? = nil, apiVersion: Int64 = 17,
        device: DeviceDescription = DeviceDescription(), local: ChatLocalSettings = .standard,
        shouldUseRemoteConfig: Bool = true, userInputEnabled: Bool = true, unreadMessageCountDelay: Int64 = 0,
        catchUpPageSize: Int = Self.standardCatchUpPageSize, connectionTimeout: Int64 = 30_000,
        sendTimeout: Int64 = 20_000, sendTimeoutMode: SendTimeoutMode = .deadline,
        uploadTimeout: Int64 = 120_000, outboxEnabled: Bool = true, queuedMaximumAge: Int64 = 24 * 3_600_000,
        hasTokenProvider: Bool = false
    ) {
        self.providerUID = providerUID
        self.appMarker = appMarker
        self.apiVersion = apiVersion
        self.device = device
        self.local = local
        self.shouldUseRemoteConfig = shouldUseRemoteConfig
        self.userInputEnabled = userInputEnabled
        self.unreadMessageCountDelay = unreadMessageCountDelay
        self.catchUpPageSize = catchUpPageSize
        self.connectionTimeout = connectionTimeout
        self.sendTimeout = sendTimeout
        self.sendTimeoutMode = sendTimeoutMode
        self.uploadTimeout = uploadTimeout
        self.outboxEnabled = outboxEnabled
        self.queuedMaximumAge = queuedMaximumAge
        self.hasTokenProvider = hasTokenProvider
    }
}

extension ChatSettings {
    /// The default of `catchUpPageSize`.
    package static let standardCatchUpPageSize = 500

    /// Returns the settings with every time limited to a range that a timer supports.
    func clamped() -> ChatSettings {
        var settings = self
        settings.connectionTimeout = min(max(connectionTimeout, 100), 86_400_000)
        settings.sendTimeout = min(max(sendTimeout, 100), 86_400_000)
        settings.uploadTimeout = min(max(uploadTimeout, 1), 365 * 86_400_000)
        settings.queuedMaximumAge = min(max(queuedMaximumAge, 1000), 365 * 86_400_000)
        settings.catchUpPageSize = min(max(catchUpPageSize, 1), 1000)
        settings.unreadMessageCountDelay = min(max(unreadMessageCountDelay, 0), 86_400)
        return settings
    }
}

/// The application's own values for settings that the server's configuration can override. See
/// `ChatConfig.localSettings`.
public struct ChatLocalSettings: Hashable, Sendable {
    /// Whether the history can be searched. `true` by default.
    public var searchEnabled = true
    /// Whether voice messages can be recorded and sent. `false` by default.
    public var voiceRecordingEnabled = false
    /// Whether the chat scrolls to new messages, and on return to a loaded chat. `true` by default.
    public var scrollToLatest = true
    /// Whether links get a preview (OpenGraph). `false` by default.
    public var linkPreviewEnabled = false
    /// Whether the button that attaches files is shown. `true` by default.
    public var showAttachButton = true
    /// Delay before the result of a survey is sent, in milliseconds. 0 by default.
    public var surveyCompletionDelay = 0
    /// How many messages one request for the history loads. 30 by default.
    public var historyLoadingCount = 30
    /// Whether the socket stays open when the chat screen is left. `false` by default: an open socket costs battery
    /// and traffic. It controls closing, not opening.
    public var keepSocketActive: Bool
    /// Whether the socket stays open until the operator ends the dialog. `false` by default.
    public var keepSocketActiveDuringOperatorSession: Bool

    /// Makes settings with the documented defaults.
    ///
    /// - Parameters:
    ///   - keepSocketActive: See ``keepSocketActive``.
    ///   - keepSocketActiveDuringOperatorSession: See ``keepSocketActiveDuringOperatorSession``.
    public init(keepSocketActive: Bool = false, keepSocketActiveDuringOperatorSession: Bool = false) {
        self.keepSocketActive = keepSocketActive
        self.keepSocketActiveDuringOperatorSession = keepSocketActiveDuringOperatorSession
    }

    /// The documented defaults.
    package static let standard = ChatLocalSettings()
}

/// The description of the device that `registerDevice` sends.
package struct DeviceDescription: Hashable, Sendable {
    package var uid: String?
    /// The IANA name of the time zone.
    package var timeZone: String?
    package var osName: String?
    package var osVersion: String?
    package var locale: String?
    package var model: String?

    package init(
        uid: String? = nil, timeZone: String? = nil, osName: String? = nil, osVersion: String? = nil,
        locale: String? = nil, model: String? = nil
    ) {
        self.uid = uid
        self.timeZone = timeZone
        self.osName = osName
        self.osVersion = osVersion
        self.locale = locale
        self.model = model
    }
}

/// How `sendTimeout` makes a message without an answer fail.
public enum SendTimeoutMode: String, Hashable, Sendable, CaseIterable {
    /// Each message has a deadline, `sendTimeout` after its frame was written to a live socket. Deadlines are checked
    /// in the foreground, on the return to the foreground and after a restart. No timer runs in the background.
    case deadline
    /// The documented timer. It fires every `sendTimeout` while the chat screen is open, the application is in the
    /// foreground and a dialog is active. Messages older than `sendTimeout` then fail.
    case documentedTimer
}
