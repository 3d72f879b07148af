import HoldfastBase

/// The messages that wait to be delivered, with the times of their retries. A value: times in nanoseconds and random
/// numbers are parameters.
struct WebhookQueue {
    /// The maximum number of messages. Further changes wait in ``IncidentWatch``.
    static let limit = 256
    /// The maximum number of attempts for a message.
    static let attempts = 12
    private static let second: Int64 = 1_000_000_000
    /// The longest time that a receiver may ask to wait, in seconds: one hour.
    static let longestRequestedWait: Int64 = 3_600

    /// A message.
    struct Message: Hashable, Sendable {
        var id: String
        var body: [UInt8]
    }

    /// The result of an attempt.
    enum Attempt: Hashable, Sendable {
        /// The receiver has taken the message.
        case delivered
        /// Another attempt can succeed. The receiver may ask to wait a number of seconds.
        case failed(retryAfter: Int64?)
        /// Another attempt cannot succeed.
        case refused
    }

    /// What an attempt means for its message.
    enum Outcome: Hashable, Sendable {
        case sent
        case retried
        case givenUp
    }

    private struct Entry {
        let message: Message
        var attempts = 0
        var due: Int64
    }

    private var entries: [Entry] = []
    private let backoff = ExponentialBackoff(base: 2 * second, ceiling: 900 * second)

    /// The number of messages that wait.
    var count: Int { entries.count }

    /// Adds a message. Returns `false` if there are too many.
    mutating func add(_ message: Message, at now: Int64) -> Bool {
        guard entries.count < Self.limit else { return false }
        entries.append(Entry(message: message, due: now))
        return true
    }

    /// Returns the oldest message that is due; `nil` if there is none.
    func due(at now: Int64) -> Message? { entries.first { $0.due <= now }?.message }

    /// Takes the result of an attempt.
    mutating func attempted(_ id: String, _ attempt: Attempt, at now: Int64, entropy: UInt64) -> Outcome {
        guard let index = entries.firstIndex(where: { $0.message.id == id }) else { return .givenUp }
        switch attempt {
        case .delivered:
            entries.remove(at: index)
            return .sent
        case .refused:
            entries.remove(at: index)
            return .givenUp
        case .failed(let retryAfter):
            entries[index].attempts += 1
            guard entries[index].attempts < Self.attempts else {
                entries.remove(at: index)
                return .givenUp
            }
            // At least a second passes between two attempts, also with small random numbers.
            let own = max(Self.second, backoff.wait(after: entries[index].attempts, entropy: entropy))
            let requested = min(max(retryAfter ?? 0, 0), Self.longestRequestedWait) * Self.second
            entries[index].due = now + max(own, requested)
            return .retried
        }
    }
}
