/// The chat as a value: events go in, effects come out, and nothing else happens.
///
/// The same events at the same moments with the same entropy give the same effects. `handle` is total: an event that
/// does not fit is dropped with a reason in the log.
package struct ChatCore: Hashable, Sendable {
    let settings: ChatSettings

    /// A chat of nobody yet.
    package init(settings: ChatSettings) {
        self.settings = settings
    }

    /// Takes an event and says what is to be done, in this order. `entropy` is fresh randomness for each event.
    package mutating func handle(_ event: ChatEvent, at now: Moment, entropy: UInt64) -> [ChatEffect] {
        []
    }

    /// When `.wake` is wanted, on the monotonic clock in nanoseconds; the one timer there is.
    package var nextWake: Int64? { nil }
}
