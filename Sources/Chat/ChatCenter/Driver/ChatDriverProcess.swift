package import ChatCenterCore
package import Foundation
import Synchronization

/// The shipping driver with the parts around it, but without the SDK's public types: what a simulation runs as a process of
/// an app. When it is released, nothing more is carried out, and the stores are closed as they are.
package final class ChatDriverProcess: Sendable {
    private let driver: ChatDriver
    /// Somebody reads the states of the newest screen.
    private let states = Mutex<AsyncStream<ChatScreenState>?>(nil)

    /// Makes a driver. Reads and opens nothing.
    ///
    /// - Parameters:
    ///   - root: The folder of the users' folders.
    ///   - environment: Everything that the driver takes from the world around it.
    package init(root: URL, providerUID: String, environment: ChatEnvironment) {
        let config = ChatConfig(transportConfig: ChatTransportConfig(cloudHost: "chat.example"))
        let trust = ChatTrust(config.networkConfig.sslPinning, anchors: environment.anchors)
        let errors = ErrorTable()
        let hub = ChatHub(errors: errors, trust: trust, executor: environment.makeExecutor("holdfast.chat"))
        let log = ChatLog(
            ChatLoggerConfig(logLevel: .off), defaultDirectory: root, timestamp: { "" }, sink: { _ in })
        let configuration = DriverConfiguration(
            providerUID: providerUID, appMarker: nil, config: config,
            timeouts: NetworkTimeouts(config.networkConfig), trust: trust, tokenProvider: nil, root: root,
            accepted: AcceptedKeys(root: root))
        driver = ChatDriver(
            ChatEngine(configuration, environment: environment, errors: errors, log: log, hub: hub))
    }

    /// Hands an event over.
    package func handle(_ event: ChatEvent) {
        driver.handle(event)
    }

    /// Authorizes a user. Returns whether the user's store could be read.
    package func authorize(_ user: ChatUser, _ auth: ChatAuth) -> Bool {
        do throws(ChatAuthorizationError) {
            try driver.authorize(user, auth)
            return true
        } catch {
            return false
        }
    }

    /// Copies the files of a message, each with so many bytes, and sends the message. Returns its identifier, or `nil` if
    /// it was refused.
    package func send(_ message: OutgoingMessage) -> MessageID? {
        do throws(ChatSendError) {
            var message = message
            var files: [OutgoingMessage.File] = []
            for file in message.files {
                let content = Data(count: Int(clamping: file.file.size))
                files.append(
                    try driver.keep(ChatFileSource(bytes: .data(content), name: file.file.name, type: file.file.type)))
            }
            message.files = files
            return try driver.send(message).id
        } catch {
            return nil
        }
    }

    /// Takes a message back.
    package func discard(_ id: MessageID) {
        driver.discard(id)
    }

    /// Logs the user out. Returns `false` if nobody is authorized; `completion` is not called then.
    package func logout(_ completion: @escaping @Sendable (LogoutOutcome) -> Void) -> Bool {
        do throws(ChatCenterUIError) {
            try driver.logout(completion)
            return true
        } catch {
            return false
        }
    }

    /// Forgets the user, and does not tell the server.
    package func deauthorize() {
        driver.deauthorize()
    }

    /// Makes a screen, and reads its states. Returns `nil` if nobody is authorized.
    package func newScreen() -> ScreenID? {
        guard let screen = driver.newScreen() else { return nil }
        let stream = screen.states.stream { [driver] in driver.screenState(of: screen.id) }
        states.withLock { $0 = stream }
        return screen.id
    }

    /// Publishes while the snapshot is locked; `Broadcast` reads the snapshot while it is locked itself. A mistake that
    /// ``LockOrder`` has to find.
    package func publishUnderLock() {
        driver.engine.published.withLock { [hub = driver.hub] _ in hub.events.publish(.historyReset) }
    }

    /// A screen is in front of the user.
    package func screenAppeared(_ id: ScreenID) {
        driver.screenAppeared(id)
    }

    /// Asks the server for the number of unread messages. Returns `false` if nobody is authorized; `completion` is not
    /// called then.
    package func askUnreadCount(_ completion: @escaping @Sendable () -> Void) -> Bool {
        do throws(ChatCenterUIError) {
            try driver.askUnreadCount { _ in completion() }
            return true
        } catch {
            return false
        }
    }
}
