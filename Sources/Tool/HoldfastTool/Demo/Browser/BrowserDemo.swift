import ChatCenter
import ChatDevServer
import ChatPageServer
import Foundation
import HoldfastBase
import HoldfastTestSupport
import HoldfastTrust

/// `holdfast demo --browser`: the chat page and the operator desk on one pinned chat server, and a page whose chat
/// server is an impostor.
struct BrowserDemo: Sendable {
    /// The page's port on 127.0.0.1; 0 for a free one.
    var port = 0

    /// Runs until the command is interrupted.
    func run(on console: Console) async throws {
        let folder = try WorkFolder()
        let authority = try ServerCertificateAuthority(now: TrustClock.system.now())
        var generator = SystemRandomNumberGenerator()
        let token = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }.hexadecimal
        var configuration = ChatDevServerConfiguration()
        configuration.databasePath = folder.path("server.sqlite")
        configuration.filesDirectory = folder.path("files")
        configuration.isBotEnabled = false
        // A hidden tab counts the unread messages in its title.
        configuration.configurationPatch = #"{"channelConfig":{"keepSocketActive":true}}"#
        configuration.operatorToken = try OperatorToken(token)
        do {
            try await ChatDevServer.with(configuration) { server in
                let desk = try await server.started()
                try await TLSFront.with(presenting: try authority.identity(for: .genuine), to: desk.port) { front in
                    let stage = BrowserStage(authority: authority, folder: folder, desk: desk, token: token)
                    try await serve(stage, front: front, on: console)
                }
            }
        } catch let error as ChatDevServerError {
            throw ToolError(error.reason)
        } catch let error as ChatPageServerError {
            throw ToolError(error.reason)
        }
        console.note("stopped")
    }

    private func serve(_ stage: BrowserStage, front: Int, on console: Console) async throws {
        var page = ChatPageServerConfiguration()
        page.port = port
        // Browsers keep cookies by host, not by port: the two pages need different names.
        var attack = ChatPageServerConfiguration()
        attack.host = "localhost"
        let impostor = try stage.authority.identity(for: .otherAuthority)
        let (genuine, victim) = (page, attack)
        try await ChatPageServer.with(
            genuine, open: { visitor in try await stage.open(visitor, port: front, folder: "ada") }
        ) { chat, _ in
            try await CertificateScenarioServer.with(presenting: impostor) { scenario in
                try await ChatPageServer.with(
                    victim, open: { visitor in try await stage.open(visitor, port: scenario.port, folder: "victim") }
                ) { attacked, _ in
                    let visitor = ChatPageVisitor("demo-user")
                    try console.print("page: \(try await chat.link(for: visitor))")
                    try console.print("desk: \(stage.desk.rest)/desk")
                    try console.print("attack: \(try await attacked.link(for: visitor))")
                    console.note("The operators' token for this run: \(stage.token)")
                    console.note("Each link works once, within two minutes. Press Ctrl-C to stop.")
                    await Interruption.wait()
                }
            }
        }
    }
}

/// What the parts of the browser demo share.
struct BrowserStage: Sendable {
    /// Issues the certificates.
    let authority: ServerCertificateAuthority
    /// The folder for the clients' stores.
    let folder: WorkFolder
    /// The server's own address, without TLS.
    let desk: ChatDevServerAddress
    /// The operators' token.
    let token: String

    /// Creates an SDK that trusts only the genuine server's certificate and its backup. Throws ``ChatPageRefusal`` with
    /// the facts if the server has another one.
    func open(_ visitor: ChatPageVisitor, port: Int, folder name: String) async throws -> ChatCenterUISDK {
        var network = ChatNetworkConfig()
        network.sslPinning = SSLPinningConfig(
            trustedCertificates: try [authority.leaf, authority.backupLeaf].map {
                try ChatSSLCertificate(der: $0.certificateDER)
            })
        let address = "\(authority.host):\(port)"
        var configuration = ChatConfig(
            transportConfig: try ChatTransportConfig(
                validating: "https://\(address)", webSocket: "wss://\(address)/socket",
                dataStore: "https://\(address)/files"),
            networkConfig: network)
        configuration.storageDirectory = folder.url(name)
        let chat = ChatCenterUISDK(providerUid: "holdfast-demo", chatConfig: configuration)
        do {
            try await chat.authorize(ChatUser(identifier: visitor.id, name: "Ada"))
        } catch let error as ChatAuthorizationError {
            guard let verdict = error.verdict else { throw error }
            throw refusal(verdict)
        }
        return chat
    }

    private func refusal(_ verdict: TrustVerdict) -> ChatPageRefusal {
        let presented =
            verdict.presented?.certificates.first.map { Pin($0.spkiDigest).description } ?? "nothing readable"
        return ChatPageRefusal(
            title: "The chat server was refused",
            text: "An attacker's server answered in place of the chat server. Nothing was sent to it.",
            detail: [
                "Reason: \(verdict.finding.code)", verdict.finding.reason, "The server's key: \(presented)",
            ] + authority.pins.map { "A pinned key: \($0)" })
    }
}
