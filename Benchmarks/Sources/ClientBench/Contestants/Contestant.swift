/// A client in the comparison, made for one scenario.
protocol Contestant: Sendable {
    /// Sends one GET, takes the whole body, and returns its length.
    func get() async throws -> Int

    /// Closes all connections.
    func shutDown() async throws
}
