/// What went to and fro in one slice of time.
struct Tally: Sendable {
    /// Messages that came back.
    var messages = 0
    /// How long each took, in nanoseconds, where one is under way at a time.
    var roundTrips: [Int64] = []

    static func + (first: Self, second: Self) -> Self {
        Tally(messages: first.messages + second.messages, roundTrips: first.roundTrips + second.roundTrips)
    }
}
