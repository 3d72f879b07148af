import ChatDevServer
import HoldfastTestSupport
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
    /// The certificates at hand.
    let authority: ServerCertificateAuthority

    /// The server's key and its backup key, beside the system verification. The machine's roots are the server's own root,
    /// and, if it `knowsRogue`, the attacker's too: an authority that was broken into, or one that a proxy installed.
    func systemAndPins(knowsRogue: Bool = false) throws -> TrustContext {
        try systemAndPins(authority.pins, knowsRogue: knowsRogue)
    }

    /// The key of the authority that signs the server's certificates, and of its root, beside the system verification.
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

    /// The server's certificate and the one for its backup key in the place of the system verification.
    var pinnedLeaf: TrustContext {
        .pinnedKeysOnly(PinnedKeysOnly(certificates: [authority.leaf.view, authority.backupLeaf.view]))
    }

    /// The authority that signs the server's certificates in the place of the system verification.
    var pinnedAuthority: TrustContext {
        .pinnedKeysOnly(PinnedKeysOnly(certificates: [authority.intermediate.view]))
    }
}
