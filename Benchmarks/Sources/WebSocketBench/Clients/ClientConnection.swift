/// One connection of a client that is compared.
protocol ClientConnection: Sendable {
    /// Sends texts for so long, so many under way at a time, and waits until all are back.
    func run(_ text: String, window: Int, for duration: Duration) async throws -> Tally
    func close() async throws
}
