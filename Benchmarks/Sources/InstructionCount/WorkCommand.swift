import ArgumentParser
import ChatCenter
import Foundation
import HTTPTypes
import HoldfastNIO
import HoldfastTransport
import HoldfastTrust
import HoldfastWebSocket
import NIOCore
import NIOPosix

/// Performs an operation several times, one after the other. Valgrind runs this command.
struct WorkCommand: AsyncParsableCommand {
    static let name = "work"
    static let configuration = CommandConfiguration(commandName: name, shouldDisplay: false)

    /// An error for a server that does not answer as expected.
    struct WrongAnswer: Error {}

    @Argument var measure: Measure
    @Option var operations: Int
    /// The ``ServerAddress`` as JSON.
    @Option var address: String

    func run() async throws {
        let address = try ServerAddress(text: self.address)
        switch measure {
        case .request: try await request(address)
        case .handshake: try await handshake(address)
        case .frame: try await frame(address)
        case .send: try send()
        }
    }

    private func request(_ address: ServerAddress) async throws {
        let client = HTTPClient(configuration: try address.configuration())
        let request = HTTPRequest(
            method: .get, scheme: "https", authority: "\(ServerAddress.host):\(address.port)", path: "/")
        for _ in 0..<operations {
            guard try await client.collect(request, upTo: 1024).body.count == 2 else { throw WrongAnswer() }
        }
        await client.shutdown()
    }

    private func handshake(_ address: ServerAddress) async throws {
        let host = try CanonicalHost(ServerAddress.host)
        let factory = try PinnedTLSHandlerFactory(trust: try address.trust().withoutVerdictCache())
        for _ in 0..<operations {
            let (channel, outcome) = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: address.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        (channel, try factory.addHandlers(to: channel.pipeline.syncOperations, host: host).outcome)
                    }
                }
            _ = try await outcome.get()
            try? await channel.close()
        }
    }

    private func frame(_ address: ServerAddress) async throws {
        let client = WebSocketClient(configuration: try address.configuration())
        let connection = try await client.connect("wss://\(ServerAddress.host):\(address.port)/")
        var messages = connection.messages.makeAsyncIterator()
        let text = String(repeating: "frame ", count: 5) + "32"
        for _ in 0..<operations {
            try await connection.send(.text(text))
            guard try await messages.next() == .text(text) else { throw WrongAnswer() }
        }
        await connection.close()
    }

    /// No server listens on the port, so that every message waits.
    private func send() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "holdfast-instructions-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let authority = "127.0.0.1:1"
        var config = ChatConfig(
            transportConfig: try ChatTransportConfig(
                validating: "https://\(authority)", webSocket: "wss://\(authority)/socket",
                dataStore: "https://\(authority)/files"),
            networkConfig: ChatNetworkConfig())
        config.storageDirectory = folder
        var logger = ChatLoggerConfig(logLevel: .off)
        logger.directory = folder.appending(path: "Logs")
        let sdk = ChatCenterUISDK(providerUid: "budgets", chatConfig: config, loggerConfig: logger)
        sdk.authorize(user: ChatUser(identifier: "sender"))
        for number in 0..<operations { try sdk.send(.text("The message with the number \(number) of this run.")) }
    }
}
