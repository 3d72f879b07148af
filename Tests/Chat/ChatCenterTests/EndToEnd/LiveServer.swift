import ChatDevServer
import Foundation
import HoldfastTestSupport
import HoldfastTrust

@testable import ChatCenter

/// A development server on loopback with TLS, and SDKs that use it. The certificates are issued for the factory's
/// reference time, which is the time of every trust decision here.
struct LiveServer {
    let server: ChatDevServer
    let address: ChatDevServerAddress
    let authority: ServerCertificateAuthority

    /// Created once for all tests, which do not change it.
    static let authority = Result { try ServerCertificateAuthority(now: CertificateFactory.referenceTime) }

    static func with<R: Sendable>(
        _ scenario: CertificateScenario = .genuine, _ configure: (inout ChatDevServerConfiguration) -> Void = { _ in },
        _ body: (LiveServer) async throws -> R
    ) async throws -> R {
        let authority = try Self.authority.get()
        var configuration = ChatDevServerConfiguration()
        configuration.tls = try authority.identity(for: scenario)
        configuration.botDelay = .zero
        configure(&configuration)
        return try await ChatDevServer.with(configuration) { server in
            var address = try await server.started()
            address.host = authority.host
            return try await body(LiveServer(server: server, address: address, authority: authority))
        }
    }

    /// Returns the pins of a well-configured app: the current key and the next one.
    func pins(_ mode: PinnedKeysOnly.HostnameVerification = .automatic) throws -> SSLPinningConfig {
        try SSLPinningConfig(
            requiring: [authority.leaf, authority.backupLeaf].map { try ChatSSLCertificate(der: $0.certificateDER) },
            hostnameVerification: mode)
    }

    /// Returns an SDK for this server.
    func chat(
        in folder: TemporaryFolder, pinning: SSLPinningConfig? = nil, logger: ChatLoggerConfig = ChatLoggerConfig(),
        tokenProvider: ChatTokenProvider? = nil, hosts: [String: String] = [:],
        configure: (inout ChatConfig) -> Void = { _ in }
    ) throws -> (sdk: ChatCenterUISDK, delegate: RecordingDelegate) {
        var network = ChatNetworkConfig()
        network.sslPinning = try pinning ?? pins()
        var config = ChatConfig(
            transportConfig: try ChatTransportConfig(
                validating: address.rest, webSocket: address.webSocket, dataStore: address.dataStore),
            networkConfig: network)
        config.storageDirectory = folder.url.appendingPathComponent("Chat")
        configure(&config)
        var environment = ChatEnvironment()
        environment.trustClock = .fixed(CertificateFactory.referenceTime)
        environment.anchors = .only([authority.root.view])
        environment.watchExecutors()
        environment.hostOverrides = hosts.merging([authority.host: "127.0.0.1"]) { $1 }
        var logger = logger
        logger.directory = folder.url.appendingPathComponent("Logs")
        let sdk = ChatCenterUISDK(
            providerUid: "provider", chatConfig: config, loggerConfig: logger, tokenProvider: tokenProvider,
            environment: environment)
        let delegate = RecordingDelegate()
        sdk.delegateExecutor = .inline
        sdk.observer = delegate
        return (sdk, delegate)
    }
}

extension ChatScreen {
    /// Waits for a state that the test expects. The test's time limit ends the wait otherwise.
    @discardableResult
    func wait(for condition: (ChatScreenState) -> Bool) async throws -> ChatScreenState {
        for await state in states where condition(state) { return state }
        throw CancellationError()
    }
}
