/// The messages of one connection in one round.
struct Tally: Sendable {
    /// The number of messages that came back.
    var messages = 0
    /// The round-trip times in nanoseconds, if messages are sent one at a time.
    var roundTrips: [Int64] = []

    static func + (first: Self, second: Self) -> Self {
        Tally(messages: first.messages + second.messages, roundTrips: first.roundTrips + second.roundTrips)
    }
}
