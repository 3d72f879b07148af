import ChatCenterCore
import ChatWire
import Foundation
import Synchronization

@testable import ChatCenter

/// An SDK with a manual clock, a scripted network and a recording delegate.
struct TestChat {
    let sdk: ChatCenterUISDK
    let clock: ManualChatClock
    let delegate: RecordingDelegate
    let pathMonitor: ManualPathMonitor
    /// The requested background times in milliseconds, and `nil` for the end of each.
    let holds = Noted<Int64?>()
    private let slot: NetworkSlot

    /// The network, which the driver creates at its first use.
    var network: ScriptedNetwork { slot.network }

    /// Whether the driver has created its network.
    var hasNetwork: Bool { slot.isMade }

    init(
        in folder: TemporaryFolder, clock: ManualChatClock = ManualChatClock(), logLevel: ChatLogLevel = .off,
        logsSecrets: Bool = false,
        script: ScriptedNetwork.Script = ScriptedNetwork.Script(), tokenProvider: ChatTokenProvider? = nil,
        transport: ChatTransportConfig = ChatTransportConfig(cloudHost: "chat.example"),
        configure: (inout ChatConfig) -> Void = { _ in }
    ) {
        let slot = NetworkSlot(script)
        let pathMonitor = ManualPathMonitor()
        self.pathMonitor = pathMonitor
        var config = ChatConfig(transportConfig: transport)
        config.storageDirectory = folder.url.appendingPathComponent("Chat")
        configure(&config)
        var environment = ChatEnvironment()
        environment.clock = clock
        environment.watchExecutors()
        environment.makeNetwork = { slot.make($0) }
        environment.makePathMonitor = { pathMonitor }
        environment.holdProcess = { [holds] in holds.append($0) }
        var logger = ChatLoggerConfig(logLevel: logLevel)
        logger.directory = folder.url.appendingPathComponent("Logs")
        logger.dangerouslyLogsSecrets = logsSecrets
        sdk = ChatCenterUISDK(
            providerUid: "provider", appMarker: "tests", chatConfig: config, loggerConfig: logger,
            tokenProvider: tokenProvider, environment: environment)
        delegate = RecordingDelegate()
        self.clock = clock
        self.slot = slot
        sdk.delegateExecutor = .inline
        sdk.observer = delegate
    }

    /// Waits until all requested work is done. The network responds immediately, so this is quick.
    func settle() {
        sdk.tellDelegate()
    }

    /// Ends the SDK as its deallocation would, and waits until the stores are closed.
    func shutDown() {
        sdk.driver.shutDown()
        settle()
    }

    func advance(by duration: Duration) {
        settle()
        clock.advance(by: duration) { settle() }
    }

    /// Authorizes a user, opens the screen, and returns it when the socket is ready.
    func open(_ user: ChatUser = ChatUser(identifier: "client-1"), auth: ChatAuth = ChatAuth()) throws -> ChatScreen {
        sdk.authorize(user: user, auth: auth)
        settle()
        let screen = try sdk.getChat()
        screen.viewDidAppear()
        settle()
        return screen
    }

    /// Passes the network to the test when the driver creates it.
    private final class NetworkSlot: Sendable {
        private let made = Mutex<ScriptedNetwork?>(nil)
        private let script: Mutex<ScriptedNetwork.Script>

        init(_ script: ScriptedNetwork.Script) {
            self.script = Mutex(script)
        }

        func make(_ sink: @escaping @Sendable (NetworkEvent) -> Void) -> ScriptedNetwork {
            let network = ScriptedNetwork(sink: sink)
            network.script = script.withLock { $0 }
            made.withLock { $0 = network }
            return network
        }

        var isMade: Bool { made.withLock { $0 != nil } }

        var network: ScriptedNetwork {
            made.withLock { $0 } ?? ScriptedNetwork(sink: { _ in })
        }
    }
}
