/// The times that the supervisor keeps, in milliseconds.
struct SocketRules: Hashable, Sendable {
    /// For each step of the handshake.
    var connectionTimeout: Int64
    /// Silence after which the socket is probed.
    var pingInterval: Int64
    /// Probes in a row that may stay unanswered.
    var pingRetries: Int
    /// What the wait before the second try is drawn from; doubled with each further one.
    var retryInterval: Int64

    /// The longest wait between two tries.
    static let longestWait: Int64 = 60_000
    /// How long a probe may stay unanswered, and how long a message may before the socket is probed.
    static let probeTimeout: Int64 = 5000
    /// A socket that was ready for so long makes the count of failures begin anew.
    static let stableAfter: Int64 = 30_000
    /// The longest wait that a server can ask for.
    static let longestHint: Int64 = 600_000
}
