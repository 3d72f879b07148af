import ChatCenter
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
    func systemAndPins(_ pins: [Pin]? = nil, knowsRogue: Bool = false) throws -> TrustContext {
        let rule = PinningRule(host: try CanonicalHost(authority.host), pins: PinSet(pins ?? authority.pins))
        let roots = [authority.root.view] + (knowsRogue ? [authority.rogueRoot.view] : [])
        return .policy(try PinningPolicy(name: "demo", rules: [rule]), anchors: .only(roots))
    }

    /// Pins the key of the authority that issues the server's certificates and of its root, in addition to the system
    /// verification.
    func systemAndAuthorityPins() throws -> TrustContext {
        try systemAndPins([Pin(authority.intermediate.spkiDigest), Pin(authority.root.spkiDigest)])
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

/// The conversation of the demo's chat steps, which build on each other.
actor DemoConversation {
    /// The folder for the clients' stores.
    nonisolated let folder: WorkFolder
    private var client: DemoClient?
    private(set) var texts: [String] = []
    private var file: ChatScreenMessage.File?

    /// Creates a conversation without a client.
    init(folder: WorkFolder) {
        self.folder = folder
    }

    /// Returns the client that an earlier step opened. Throws if that step failed.
    func opened() throws -> DemoClient {
        guard let client else { throw ToolError("there is no conversation: an earlier step failed", status: .failure) }
        return client
    }

    /// Sets the client.
    func begin(_ client: DemoClient) {
        self.client = client
    }

    /// Records a text that was sent and acknowledged.
    func note(_ text: String) {
        texts.append(text)
    }

    /// Records the uploaded file.
    func note(_ file: ChatScreenMessage.File) {
        self.file = file
    }

    /// Returns the uploaded file. Throws if there is none.
    func uploaded() throws -> ChatScreenMessage.File {
        guard let file else { throw ToolError("there is no file: an earlier step failed", status: .failure) }
        return file
    }

    /// Leaves the screen.
    func end() {
        client?.close()
        client = nil
    }
}
