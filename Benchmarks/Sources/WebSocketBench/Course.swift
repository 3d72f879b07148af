/// One contestant in one scenario, its connections open.
protocol Course: Sendable {
    /// Goes on for so long, and measures.
    func measure(for duration: Duration) async throws -> Slice
    func close() async throws
}
