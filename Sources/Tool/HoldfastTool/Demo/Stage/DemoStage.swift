import ChatDevServer
import HoldfastTestSupport
import HoldfastTrust

/// What the demo's steps share: the server, its certificates and a clock.
struct DemoStage: Sendable {
    /// Issues the certificates of the server and of the impostors.
    let authority: ServerCertificateAuthority
    /// The chat server.
    let server: ChatDevServer
    /// The server's address.
    let address: ChatDevServerAddress
    /// The clock for judging certificates.
    let clock: TrustClock
    /// Shows a transfer's progress.
    let narrator: DemoNarrator
    /// The conversation of the chat steps.
    let conversation: DemoConversation

    /// Makes the chat server present another identity to new connections while `body` runs.
    func showing(
        _ scenario: CertificateScenario, _ body: () async throws -> DemoObservation
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

/// The trust contexts that the steps run under.
struct DemoTrust: Sendable {
    /// The authority that issues the certificates.
    let authority: ServerCertificateAuthority

    /// Pins the server's key and its backup key, in addition to the system verification. The machine's root is the
    /// server's own root. With `knowsRogue`, the attacker's root is trusted too, like a compromised authority or one
    /// that a proxy installed.
    func systemAndPins(knowsRogue: Bool = false) throws -> TrustContext {
        try systemAndPins(authority.pins, knowsRogue: knowsRogue)
    }

    /// Pins the key of the authority that issues the server's certificates and of its root, in addition to the system
    /// verification.
    func systemAndAuthorityPins() throws -> TrustContext {
        try systemAndPins(
            [Pin(authority.intermediate.spkiDigest), Pin(authority.root.spkiDigest)], knowsRogue: false)
    }

    private func systemAndPins(_ pins: [Pin], knowsRogue: Bool) throws -> TrustContext {
        let host = try CanonicalHost(authority.host)
        let policy = try PinningPolicy(name: "demo", rules: [PinningRule(host: host, pins: PinSet(pins))])
        let roots = [authority.root.view] + (knowsRogue ? [authority.rogueRoot.view] : [])
        return .policy(policy, anchors: .only(roots))
    }

    /// Trusts the server's certificate and the one for its backup key, instead of the system verification.
    var pinnedLeaf: TrustContext {
        .pinnedKeysOnly(PinnedKeysOnly(certificates: [authority.leaf.view, authority.backupLeaf.view]))
    }

    /// Trusts the authority that issues the server's certificates, instead of the system verification.
    var pinnedAuthority: TrustContext {
        .pinnedKeysOnly(PinnedKeysOnly(certificates: [authority.intermediate.view]))
    }
}
