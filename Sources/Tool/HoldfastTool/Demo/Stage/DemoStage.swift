import ChatDevServer
import HoldfastTrust

/// What the steps of a demo share: the server, its certificates, and a clock.
struct DemoStage: Sendable {
    /// Mints what the server, and everyone who poses as it, shows.
    let authority: ServerCertificateAuthority
    /// The chat server.
    let server: ChatDevServer
    /// Where it listens.
    let address: ChatDevServerAddress
    /// When certificates are judged.
    let clock: TrustClock
    /// Tells how far a transfer has come.
    let narrator: DemoNarrator
    /// The conversation that several steps are about.
    let conversation: DemoConversation

    /// Lets the chat server show something else to new connections while `body` runs.
    func showing(
        _ scenario: ServerScenario, _ body: () async throws -> DemoObservation
    ) async throws -> DemoObservation {
        try server.replaceTLSIdentity(try authority.identity(for: scenario))
        let result: Result<DemoObservation, any Error>
        do {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        try server.replaceTLSIdentity(try authority.identity(for: .genuine))
        return try result.get()
    }
}
