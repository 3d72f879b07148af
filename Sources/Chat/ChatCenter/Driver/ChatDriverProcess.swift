package import ChatCenterCore
package import Foundation
import Synchronization

/// The production driver without the SDK's public types. A simulation runs it as an app's process.
///
/// When it is freed, all effects stop and the stores are closed without further writes.
package final class ChatDriverProcess: Sendable {
    private let driver: ChatDriver
    /// Keeps a reader of the newest screen's states.
    private let states = Mutex<AsyncStream<ChatScreenState>?>(nil)

    /// Creates a driver. Reads no file and opens no connection.
    ///
    /// - Parameters:
    ///   - root: The folder that contains the users' folders.
    ///   - environment: All external dependencies of the driver.
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

    /// Posts an event.
    package func handle(_ event: ChatEvent) {
        driver.handle(event)
    }

    /// Authorizes a user. Returns `false` if the user's store cannot be read.
    package func authorize(_ user: ChatUser, _ auth: ChatAuth) -> Bool {
        (try? driver.authorize(user, auth)) != nil
    }

    /// Copies the files of a message, each with the given number of bytes, and sends the message. Returns its
    /// identifier; `nil` if it was refused.
    package func send(_ message: OutgoingMessage) -> MessageID? {
        var message = message
        for (index, file) in message.files.map(\.file).enumerated() {
            let content = Data(count: Int(clamping: file.size))
            let source = ChatFileSource(bytes: .data(content), name: file.name, type: file.type)
            guard let copy = try? driver.keep(source) else { return nil }
            message.files[index] = copy
        }
        return try? driver.send(message).id
    }

    /// Deletes an unsent message.
    package func discard(_ id: MessageID) {
        driver.discard(id)
    }

    /// Logs the user out. Returns `false`, without calling `completion`, if no user is authorized.
    package func logout(_ completion: @escaping @Sendable (LogoutOutcome) -> Void) -> Bool {
        (try? driver.logout(completion)) != nil
    }

    /// Deletes the user's data without telling the server.
    package func deauthorize() {
        driver.deauthorize()
    }

    /// Creates a screen and reads its states. Returns `nil` if no user is authorized.
    package func newScreen() -> ScreenID? {
        guard let screen = driver.newScreen() else { return nil }
        let stream = screen.states.stream { [driver] in driver.screenState(of: screen.id) }
        states.withLock { $0 = stream }
        return screen.id
    }

    /// Publishes while it holds the snapshot's lock, although `Broadcast` reads the snapshot while it holds its own
    /// lock. Deliberately wrong: ``LockOrder`` must find it.
    package func publishUnderLock() {
        driver.engine.published.withLock { [hub = driver.hub] _ in hub.events.publish(.historyReset) }
    }

    /// Reports that a screen is visible.
    package func screenAppeared(_ id: ScreenID) {
        driver.screenAppeared(id)
    }

    /// Requests the number of unread messages. Returns `false`, without calling `completion`, if no user is authorized.
    package func askUnreadCount(_ completion: @escaping @Sendable () -> Void) -> Bool {
        (try? driver.askUnreadCount { _ in completion() }) != nil
    }
}
