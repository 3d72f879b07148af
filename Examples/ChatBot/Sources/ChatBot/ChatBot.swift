import ArgumentParser
import ChatCenter
import Foundation

/// A bot that takes part in a conversation as a user, and answers what it understands.
@main
struct ChatBot: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Answer the messages of a chat.")

    @Argument(help: "The chat server's address.")
    var server = "http://127.0.0.1:8476"

    @Option(name: .customLong("certificate"), help: "A DER file with a certificate whose key is trusted; repeatable.")
    var certificates: [String] = []

    @Option(help: "The user that the bot is.")
    var user = "order-bot"

    @Option(help: "The folder for the conversation.")
    var store = "chat-bot"

    func run() async throws {
        let sdk = try makeSDK()
        try await sdk.authorize(ChatUser(identifier: user))  // throws if the server is refused
        let screen = try sdk.getChat()
        var seen = Set(screen.state.messages.map(\.id))
        screen.viewDidAppear()
        try await screen.send(OrderDesk.greeting)
        for await state in screen.states {
            for message in state.messages where seen.insert(message.id).inserted {
                guard case .other = message.author, let text = message.text else { continue }
                print("received: \(text)")
                guard let answer = OrderDesk.answer(to: text) else { continue }
                let receipt = try await screen.send(answer.text)
                print("answered: \(answer.text)")
                if answer.endsConversation { return try await wait(for: receipt) }
            }
        }
    }

    /// Waits until the server has the message.
    private func wait(for receipt: ChatReceipt) async throws {
        for await state in receipt.fate {
            switch state {
            case .sent, .delivered, .read: return
            case .failed: throw ExitCode.failure
            default: continue
            }
        }
    }

    private func makeSDK() throws -> ChatCenterUISDK {
        var network = ChatNetworkConfig()
        if !certificates.isEmpty {
            network.sslPinning = try SSLPinningConfig(
                requiring: certificates.map { ChatSSLCertificate(contentsOf: URL(fileURLWithPath: $0)) })
        }
        let base = server.hasSuffix("/") ? String(server.dropLast()) : server
        let transport = try ChatTransportConfig(
            validating: base, webSocket: base.replacing("http", with: "ws", maxReplacements: 1) + "/socket",
            dataStore: base + "/files")
        var config = ChatConfig(transportConfig: transport, networkConfig: network)
        config.storageDirectory = URL(fileURLWithPath: store)
        return ChatCenterUISDK(providerUid: "shop", chatConfig: config)
    }
}
