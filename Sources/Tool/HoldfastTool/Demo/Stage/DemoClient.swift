import ChatCenter
import ChatDevServer
import Foundation
import HoldfastTestSupport

/// A chat client as an app has one: the SDK and its screen.
struct DemoClient: Sendable {
    /// The SDK.
    let chat: ChatCenterUISDK
    /// The chat's screen.
    let screen: ChatScreen

    private static let patience = Duration.seconds(15)

    /// Returns the settings for the stage's server. Only its certificate and the backup's are trusted.
    private static func configuration(_ stage: DemoStage, keepingIn folder: URL) throws -> ChatConfig {
        var address = stage.address
        address.host = stage.authority.host
        let trusted = try [stage.authority.leaf, stage.authority.backupLeaf].map {
            try ChatSSLCertificate(der: $0.certificateDER)
        }
        var network = ChatNetworkConfig()
        network.sslPinning = SSLPinningConfig(trustedCertificates: trusted)
        var configuration = ChatConfig(
            transportConfig: try ChatTransportConfig(
                validating: address.rest, webSocket: address.webSocket, dataStore: address.dataStore),
            networkConfig: network)
        configuration.storageDirectory = folder
        return configuration
    }

    /// Authorizes the demo's user and opens the chat's screen. Rethrows the SDK's errors.
    static func open(on stage: DemoStage, keepingIn folder: URL) async throws -> DemoClient {
        let chat = ChatCenterUISDK(
            providerUid: "holdfast-demo", chatConfig: try configuration(stage, keepingIn: folder))
        let user = ChatUser(identifier: "demo-user", name: "Ada")
        _ = try await DemoDeadline.within(patience, for: "authorisation") {
            try await chat.authorize(user)
        }
        let screen = try chat.getChat()
        screen.viewDidAppear()
        let client = DemoClient(chat: chat, screen: screen)
        _ = try await client.waitFor("registered socket") { $0.connection == .ready }
        return client
    }

    /// Returns the first state of the screen that fulfils a condition.
    func waitFor(
        _ what: String, _ condition: @escaping @Sendable (ChatScreenState) -> Bool
    ) async throws -> ChatScreenState {
        try await DemoDeadline.within(DemoClient.patience, for: what) { [screen] in
            for await state in screen.states where condition(state) { return state }
            throw ToolError("the chat ended without \(what)", status: .failure)
        }
    }

    /// Waits until the server has acknowledged a message.
    func acknowledgement(of receipt: ChatReceipt) async throws {
        try await DemoDeadline.within(DemoClient.patience, for: "acknowledgement") {
            for await state in receipt.fate {
                switch state {
                case .sent, .delivered, .read: return
                case .failed(let failure): throw ToolError("the message failed: \(failure)", status: .failure)
                case .queued, .uploading, .sending: continue
                }
            }
            throw ToolError("no acknowledgement came for the message", status: .failure)
        }
    }

    /// Leaves the screen, which closes the socket.
    func close() {
        screen.viewDidDisappear()
    }
}

/// Limits how long the demo waits for a peer.
enum DemoDeadline {
    /// Returns the result of `work`. Throws ``ToolError`` and cancels the work if the time limit is exceeded.
    static func within<Result: Sendable>(
        _ limit: Duration, for what: String, _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await Task.sleep(for: limit)  // reason: the deadline is in real time
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let result = first else {
                throw ToolError("no \(what) after \(limit.components.seconds) s", status: .failure)
            }
            return result
        }
    }
}
