import ChatCenter
import ChatDevServer
import ChatPage
import ChatPageServer
import Foundation
import HTTPTypes
import HoldfastCompatibility
import HoldfastFormats
import HoldfastNIO
import HoldfastNetworking
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTrust
import HoldfastWebSocket
import NIOCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of the landing pages: `Documentation/Holdfast.docc` and the `Documentation.docc` of each product.
struct LandingPageSnippets {
    func holdfast(keys: [SPKIDigest], request: URLRequest) async throws {
        let rule = try PinningRule(HostPattern("api.example.com"), keys: keys)
        let policy = try PinningPolicy(name: "api", rules: [rule])
        let configuration = TransportConfiguration(trust: .policy(policy))
        let transport = HTTPClientTransport(configuration: configuration)
        let (data, response) = try await transport.data(for: request)
    }

    func trust() throws {
        let keys = try [
            // The server's own key.
            SPKIDigest("sha256/GC/52nAf0UTi/SzUHajdupeesBsr9/zDN29LGy7O5Oc="),
            // The backup key, which is kept offline.
            SPKIDigest("sha256/nmcbHM3thWbHaR5WZM/niFYs6UbCFhRfA+C4Od+TAfI="),
        ]
        let rule = try PinningRule(HostPattern("api.example.com"), keys: keys)
        let policy = try PinningPolicy(name: "api", rules: [rule])
        let trust = TrustContext.policy(policy)  // for a client
    }

    func formats(bytes: [UInt8]) throws {
        // Without `as:`, the format is detected from the contents.
        let document = PolicyFormats.read(bytes, as: .trustKit, named: "shop")
        let policy = try document.policy()
        let android = PolicyFormats.write(document, as: .android)
        for finding in android.report { print(finding) }
    }

    func nio(keys: [SPKIDigest], pipeline: ChannelPipeline) throws {
        let host = try CanonicalHost("api.example.com")
        let rule = try PinningRule(HostPattern(host.text), keys: keys)
        let policy = try PinningPolicy(name: "api", rules: [rule])
        // Once for the app:
        let tls = try PinnedTLSHandlerFactory(
            trust: .policy(policy), applicationProtocols: ["h2"])

        // In a channel initializer, before your own handlers:
        let handshake = try tls.addHandlers(
            to: pipeline.syncOperations, host: host, port: 443)
        handshake.outcome.whenFailure { error in
            print(error)  // TrustRefusal has the verdict
        }
    }

    func transport(policy: PinningPolicy) async throws {
        let configuration = TransportConfiguration(trust: .policy(policy))
        let client = HTTPClient(configuration: configuration)
        let request = HTTPRequest(
            method: .get, scheme: "https",
            authority: "pay.example.com", path: "/v1/status")

        do {
            let answer = try await client.collect(request, upTo: 1 << 20)
            print(answer.response.status)
        } catch let error as TransportError where error.code == .trustRefused {
            print(error.reason)  // what was seen and what was expected
        }
        await client.shutdown()
    }

    func webSocket(policy: PinningPolicy) async throws {
        let configuration = TransportConfiguration(trust: .policy(policy))
        let client = WebSocketClient(configuration: configuration)
        let connection = try await client.connect("wss://chat.example.com/socket")
        try await connection.send(.text("Hello"))
        for try await message in connection.messages {
            if case .text(let text) = message { print(text) }
        }
    }

    func networking(policy: PinningPolicy) async throws {
        let configuration = TransportConfiguration(trust: .policy(policy))
        let pinned = HTTPClientTransport(configuration: configuration)
        let url = URL(string: "https://api.example.com/")!
        let (data, response) = try await pinned.data(for: URLRequest(url: url))
    }

    func compatibility(keys: [PublicKeyInfo]) {
        let manager = ServerTrustManager(
            evaluators: ["api.example.com": PublicKeysTrustEvaluator(keys: keys)])
        let configuration = TransportConfiguration(trust: .serverTrustManager(manager))
        let transport = HTTPClientTransport(configuration: configuration)
    }

    func testSupport() throws {
        let factory = CertificateFactory(now: CertificateFactory.referenceTime)
        let root = try factory.authority("Example Root")
        let server = try factory.leaf(["api.example.com"], signedBy: root)
        let pin = server.spkiDigest
    }

    @MainActor func chatCenter(currentCertificate: URL, nextCertificate: URL) throws {
        var network = ChatNetworkConfig()
        network.sslPinning = try SSLPinningConfig(requiring: [
            ChatSSLCertificate(contentsOf: currentCertificate),
            ChatSSLCertificate(contentsOf: nextCertificate),
        ])
        let server = ChatTransportConfig(cloudHost: "chat.example.com")
        let chat = ChatCenterUISDK(
            providerUid: "my-provider",
            chatConfig: ChatConfig(transportConfig: server, networkConfig: network))
        chat.authorize(user: ChatUser(identifier: "unique-and-hard-to-guess"))

        let screen = try chat.getChat()  // its state is a value to draw
        screen.viewDidAppear()
        try screen.send("Hello")
    }

    func chatPage(
        screen: ChatScreen, limits: PageFileLimits, appearance: PageAppearance, request: PageRequest
    ) {
        // `screen` is a ChatScreen of ChatCenter.
        let state = PageState(
            screen: screen.state, security: screen.security,
            limits: limits, appearance: appearance)
        let html = PageHTML.page(state, request)  // the bytes of a page in UTF-8
    }

    func chatPageServer(transport: ChatTransportConfig, pinned: ChatNetworkConfig, stores: URL) async throws {
        let server = try ChatPageServer { visitor in
            var chat = ChatConfig(transportConfig: transport, networkConfig: pinned)
            chat.storageDirectory = stores.appendingPathComponent(visitor.folderName)
            let sdk = ChatCenterUISDK(providerUid: "shop", chatConfig: chat)
            sdk.authorize(user: ChatUser(identifier: visitor.id))
            return sdk
        }
        try await server.run()
    }

    func chatDevServer() async throws {
        var configuration = ChatDevServerConfiguration()
        configuration.databasePath = "chat.sqlite"
        configuration.script = try ChatServerScript(file: "faults.json")
        try await ChatDevServer.with(configuration) { server in
            let address = try await server.started()
            print(address.rest, address.webSocket)
        }
    }
}
