/// A custom evaluator in a closure: throwing refuses the server.
///
/// Like every custom evaluator it is asked after the system verification has accepted the chain, and can only refuse.
public struct ClosureEvaluator: ServerTrustEvaluator {
    private let body: @Sendable (ServerTrust, String) async throws -> Void

    /// Wraps a closure. It is called from any thread; the host arrives in canonical form.
    public init(_ body: @escaping @Sendable (_ trust: ServerTrust, _ host: String) async throws -> Void) {
        self.body = body
    }

    /// Asks the closure.
    public func evaluate(_ trust: ServerTrust, forHost host: String) async throws {
        try await body(trust, host)
    }
}
