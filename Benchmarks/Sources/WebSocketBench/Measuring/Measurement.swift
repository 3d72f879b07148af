/// One contestant in one scenario, with open connections.
protocol Measurement: Sendable {
    /// Exchanges messages for a duration and measures them.
    func measure(for duration: Duration) async throws -> Slice
    func close() async throws
}
