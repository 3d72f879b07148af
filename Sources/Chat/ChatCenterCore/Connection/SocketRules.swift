/// The times that the supervisor enforces, in milliseconds.
struct SocketRules: Hashable, Sendable {
    /// The time limit for each step of the handshake.
    var connectionTimeout: Int64
    /// The silence after which the socket is probed.
    var pingInterval: Int64
    /// The number of consecutive probes that may stay unanswered.
    var pingRetries: Int
    /// The base of the random delay before the second attempt.
    var retryInterval: Int64
    /// The factor by which the range of the delays grows. At least 2, whatever the server says: constant delays would
    /// let many clients reconnect at the same time.
    var retryMultiplier: Int64 = 2

    /// The time limit for a probe while no message waits for its reply.
    static let probeTimeout: Int64 = 5000
    /// The silence after which the socket is probed while a message waits for its reply, and the time limit of that
    /// probe. A dead link is therefore detected 5 s after the message was written to it.
    static let shortProbeTimeout: Int64 = 2500
    /// The maximum delay of the probe of an idle socket, in milliseconds; a tenth of `pingInterval` if that is shorter.
    static let longestProbeDelay: Int64 = 1000
    /// The time that a socket must be ready before the failure counter is reset.
    static let stableAfter: Int64 = 30_000
    /// The largest number of sockets opened within `dialWindow`, for any reason. It limits networks that change often
    /// and applications that open and close the chat in a loop, because both reset all other delays.
    static let dialBurst = 10
    static let dialWindow: Int64 = 20_000
    /// The longest delay that a server can request, in milliseconds. A longer one counts as this one.
    static let longestHint: Int64 = 600_000
}

extension SocketRules {
    /// Creates rules from the settings and the server's configuration.
    init(_ settings: ChatSettings, _ configuration: EffectiveConfiguration) {
        self.init(
            connectionTimeout: settings.connectionTimeout, pingInterval: Int64(configuration.pingInterval.value),
            pingRetries: configuration.pingRetries.value, retryInterval: Int64(configuration.retryInterval.value),
            retryMultiplier: Int64(max(2, configuration.retryMultiplier.value)))
    }
}
