/// The host application's settings. They do not change during the life of a core.
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
