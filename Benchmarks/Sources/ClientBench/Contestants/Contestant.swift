/// A client in the comparison, created for one scenario.
protocol Contestant: Sendable {
    /// Sends one GET request, reads the whole body and returns its length.
    func get() async throws -> Int

    /// Closes all connections.
    func shutDown() async throws
}
