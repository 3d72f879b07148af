/// A connection of a client in the comparison.
protocol ClientConnection: Sendable {
    /// Sends texts for a duration, at most `window` at a time, and waits until all have come back.
    func run(_ text: String, window: Int, for duration: Duration) async throws -> Tally
    func close() async throws
}
