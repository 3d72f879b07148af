import ChatCenterCore
import ChatServerCore
import ChatWire

/// The configuration of a run, which depends on the seed alone: the devices, their users and settings, and the server's
/// settings.
struct SimulationSetup: Sendable {
    struct Device: Sendable {
        var user: Int
        var settings: ChatSettings
        /// Milliseconds by which the device's wall clock is ahead.
        var skew: Int64
    }

    var devices: [Device]
    var server: ChatServerSettings

    /// The names of the users.
    static let users = ["ann", "bob", "cem"]
    /// The duration of the plan in milliseconds. The quiet time follows.
    static let horizon: Int64 = 60_000

    init(seed: UInt64) {
        var draw = RandomStreams(seed: seed).sequence(.setup, 0)
        devices = (0..<(draw.chance(30) ? 3 : 2)).map { index in
            // Some users have two devices.
            Device(
                user: draw.chance(index == 2 ? 60 : 25) ? 0 : index, settings: Self.settings(of: index, &draw),
                skew: draw.chance(30) ? draw.between(-600_000, 600_000) : draw.between(-2000, 2000))
        }
        server = Self.serverSettings(&draw)
    }

    private static func settings(of index: Int, _ draw: inout RandomStream) -> ChatSettings {
        var local = ChatLocalSettings.standard
        local.keepSocketActive = draw.chance(25)
        local.keepSocketActiveDuringOperatorSession = draw.chance(25)
        local.historyLoadingCount = draw.chance(30) ? 5 : 30
        return ChatSettings(
            providerUID: "provider", apiVersion: 17 + Int64(draw.below(5)),
            device: DeviceDescription(uid: "device-\(index)"), local: local,
            shouldUseRemoteConfig: draw.chance(30), unreadMessageCountDelay: draw.chance(30) ? 19 : 0,
            connectionTimeout: 10_000, sendTimeout: 8000,
            sendTimeoutMode: draw.chance(75) ? .deadline : .documentedTimer, uploadTimeout: 12_000,
            outboxEnabled: !draw.chance(10),
            queuedMaximumAge: draw.chance(20) ? 20_000 : 24 * 3_600_000, hasTokenProvider: draw.chance(60))
    }

    private static func serverSettings(_ draw: inout RandomStream) -> ChatServerSettings {
        var configuration = ConfigurationAnswer.development
        configuration.settings?.pingEnabled = draw.chance(25)
        configuration.settings?.pingIntervalMillis = 45_000
        configuration.settings?.pingRetries = Int64(1 + draw.below(3))
        configuration.settings?.registerAtFirstStart = draw.chance(20)
        configuration.channelConfig?.surveyCompletionDelay = draw.chance(30) ? 2000 : 0
        configuration.channelConfig?.historyLoadingCount = draw.chance(30) ? 5 : nil
        configuration.channelConfig?.keepSocketActive = nil
        configuration.channelConfig?.keepSocketActiveDuringOperatorSession = nil
        var limits = ServerLimits()
        // The smallest limit that the protocol permits, so that a gap needs several pages.
        if draw.chance(40) { limits.historyCount = 30 }
        return ChatServerSettings(
            configuration: configuration, bot: draw.chance(40) ? BotSettings() : nil,
            access: .tokens(valid: []), limits: limits)
    }
}
