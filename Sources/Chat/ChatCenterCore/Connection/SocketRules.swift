/// The times that the supervisor keeps, in milliseconds.
struct SocketRules: Hashable, Sendable {
    /// For each step of the handshake.
    var connectionTimeout: Int64
    /// Silence after which the socket is probed.
    var pingInterval: Int64
    /// Probes in a row that may stay unanswered.
    var pingRetries: Int
    /// What the wait before the second try is drawn from.
    var retryInterval: Int64
    /// What the span of the waits grows by; never less than 2, whatever the server says: waits that do not grow make a
    /// storm of many clients.
    var retryMultiplier: Int64 = 2

    /// How long a probe may stay unanswered while nobody waits for anything.
    static let probeTimeout: Int64 = 5000
    /// How long a message may stay unanswered in silence before the socket is probed, and how long that probe may. So a
    /// dead link is found 5 s after a message was handed to it.
    static let shortProbeTimeout: Int64 = 2500
    /// A socket that was ready for so long makes the count of failures begin anew.
    static let stableAfter: Int64 = 30_000
    /// How many sockets are opened within `dialWindow` at the most, for whatever reason. A network that flaps, or an app
    /// that opens and closes the chat in a loop, ends every wait: this is what it does not end.
    static let dialBurst = 10
    static let dialWindow: Int64 = 20_000
    /// The longest wait that a server can ask for.
    static let longestHint: Int64 = 600_000
}

extension SocketRules {
    /// The times that the settings and the server say.
    init(_ settings: ChatSettings, _ configuration: EffectiveConfiguration) {
        self.init(
            connectionTimeout: settings.connectionTimeout, pingInterval: Int64(configuration.pingInterval.value),
            pingRetries: configuration.pingRetries.value, retryInterval: Int64(configuration.retryInterval.value),
            retryMultiplier: Int64(max(2, configuration.retryMultiplier.value)))
    }
}
