import ChatCenterCore
import ChatWire
import Foundation
import HoldfastTestSupport
import Synchronization
import Testing

@testable import ChatCenter

/// The events that the app receives, and their executors.
@Suite struct DelegateTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func incoming(_ uuid: String, at time: Int64) -> Content {
        Content(.message, uuid: uuid, operator: Operator(id: "1"), text: "text", receivedDate: time)
    }

    @Test("the unread count is reported with the history, with live messages and on request")
    func unread() async throws {
        var script = ScriptedNetwork.Script()
        script.history = [incoming("a", at: 1), incoming("b", at: 2)]
        script.unread = 5
        let chat = TestChat(in: folder, script: script, configure: { $0.serverDriven.keepSocketActive = true })
        chat.sdk.authorize(user: ChatUser(identifier: "client-1"))
        chat.settle()
        #expect(chat.delegate.unread == [0, 2])
        #expect(try await chat.sdk.unreadMessagesCount() == 5)
        let completion = Noted<Int>()
        try chat.sdk.getUnreadMessagesCount { completion.append((try? $0.get()) ?? -1) }
        chat.settle()
        #expect(completion.values == [5])
        let screen = try chat.sdk.getChat()
        screen.viewDidAppear()
        chat.settle()
        #expect(chat.delegate.unread.last == 0)
        screen.viewDidDisappear()
        chat.network.push(incoming("c", at: 3))
        chat.settle()
        #expect(chat.delegate.unread.last == 1)
    }

    @Test("unreadMessageCountDelay polls, from the end of one request to the next")
    func polling() throws {
        var script = ScriptedNetwork.Script()
        script.unread = 3
        let chat = TestChat(in: folder, script: script, configure: { $0.unreadMessageCountDelay = 30 })
        chat.sdk.authorize(user: ChatUser(identifier: "client-1"))
        chat.settle()
        func polls() -> Int {
            chat.network.commands.filter { if case .call(_, let call) = $0 { call.request == .unread } else { false } }
                .count
        }
        chat.advance(by: .milliseconds(29_999))
        #expect(polls() == 0)
        chat.advance(by: .milliseconds(1))
        #expect(polls() == 1)
        chat.advance(by: .seconds(60))
        #expect(polls() == 3)
        #expect(chat.delegate.unread == [0, 3], "an unchanged count is not a change")
        chat.network.script.unread = 4
        chat.advance(by: .seconds(30))
        #expect(chat.delegate.unread == [0, 3, 4])
    }

    @Test("the count of another user is reported, an unchanged one of the same user is not")
    func unreadOfUsers() throws {
        let chat = TestChat(in: folder)
        let user = ChatUser(identifier: "client-1")
        chat.sdk.authorize(user: user)
        chat.sdk.authorize(user: user, auth: ChatAuth(token: "another"))
        chat.settle()
        #expect(chat.delegate.unread == [0])
        chat.sdk.authorize(user: ChatUser(identifier: "client-2"))
        chat.settle()
        #expect(chat.delegate.unread == [0, 0])
        chat.sdk.deauthorizeUser()
        chat.sdk.authorize(user: ChatUser(identifier: "client-2"))
        chat.settle()
        #expect(chat.delegate.unread == [0, 0, 0])
    }

    @Test("a lost socket is reported to the delegate, in the stream and on the screen")
    func socketError() async throws {
        let chat = TestChat(in: folder)
        let screen = try chat.open()
        var events = chat.sdk.events.makeAsyncIterator()
        chat.network.script.socket = nil
        chat.network.breakSocket(TransportFailure(.unreachable))
        chat.settle()
        let error = try #require(chat.delegate.errors.last as? ChatNetworkError)
        #expect(error.problem == .socket(.transport(TransportFailure(.unreachable))))
        #expect(screen.state.connection != .ready)
        var seen = false
        while !seen, let event = await events.next() {
            if case .networkError = event { seen = true }
        }
        #expect(seen)
    }

    @Test("messages of the initializer are delivered when the delegate is set")
    func keptLines() throws {
        let bad = ChatSSLCertificate(contentsOf: try folder.write("bad.cer", Array("x".utf8)))
        let good = try ChatSSLCertificate(
            der: CertificateFactory().leaf(["x.example"], signedBy: nil).certificateDER)
        let chat = TestChat(
            in: folder, logLevel: .all,
            configure: { config in
                config.networkConfig.sslPinning = SSLPinningConfig(
                    allowUntrustedSSLCertificate: true, trustedCertificates: [bad, good])
                config.networkConfig.httpConfig.connectionTimeout = .nan
            })
        chat.settle()
        let lines = chat.delegate.lines
        #expect(lines.contains { $0.contains("bad.cer") && $0.contains("unusable") })
        #expect(lines.contains { $0.contains("Only one key") })
        #expect(lines.contains { $0.contains("allowUntrustedSSLCertificate is ignored") })
        #expect(lines.contains { $0.contains("HTTPConfig.connectionTimeout") })
        #expect(chat.sdk.effectiveConfig.restTimeout == .seconds(30))
        #expect(chat.sdk.connectionState.security == .pinnedKeys(certificates: 1))
        #expect(chat.sdk.effectiveConfig.security == .pinnedKeys(certificates: 1))
    }

    @Test("disabled verification is logged at once and shown in the state")
    func unverified() throws {
        let chat = TestChat(
            in: folder, logLevel: .error,
            configure: { $0.networkConfig.sslPinning.allowUntrustedSSLCertificate = true })
        chat.settle()
        #expect(chat.delegate.lines.contains { $0.contains("ANY server") })
        #expect(chat.sdk.connectionState.security == .unverified)
        #expect(chat.sdk.effectiveConfig.security == .unverified)
    }

    @Test("with logging off the delegate receives no line")
    func silent() throws {
        let chat = TestChat(in: folder)
        try chat.open().send("x")
        chat.settle()
        #expect(chat.delegate.lines.isEmpty)
    }

    @Test("a link is offered to the delegate on the caller's thread")
    func links() throws {
        let chat = TestChat(in: folder)
        let screen = try chat.open()
        #expect(screen.open(try #require(URL(string: "app://x"))))
        #expect(!screen.open(try #require(URL(string: "https://x.example"))))
        #expect(chat.delegate.opened.count == 2)
        chat.sdk.observer = nil
        #expect(!screen.open(try #require(URL(string: "app://x"))))
    }

    @Test("the observer is called on the given queue, in order")
    func executor() async throws {
        let chat = TestChat(in: folder, logLevel: .all)
        let queue = DispatchQueue(label: "tests.delegate")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let delegate = QueueDelegate(key)
        chat.sdk.delegateExecutor = .queue(queue)
        chat.sdk.observer = delegate
        try await chat.open().send("x")
        chat.settle()
        queue.sync {}
        #expect(!delegate.calls.values.isEmpty)
        #expect(delegate.calls.values.allSatisfy { $0 })
    }

    @Test("by default the observer is called on the main queue")
    func mainThread() async throws {
        let chat = TestChat(in: folder)
        let key = DispatchSpecificKey<Bool>()
        // Not `Thread.isMainThread`: if `dispatchMain` serves the main queue, it has no thread of its own.
        DispatchQueue.main.setSpecific(key: key, value: true)
        let delegate = MainDelegate(key)
        chat.sdk.delegateExecutor = .mainActor
        chat.sdk.observer = delegate
        chat.sdk.authorize(user: ChatUser(identifier: "client-1"))
        #expect(try await delegate.first.value)
    }

    @Test("a delegate of the main actor is called there, in order, with any executor")
    func mainActor() async throws {
        let chat = TestChat(in: folder, logLevel: .all)
        let delegate = await ViewController(chat)
        chat.sdk.delegate = delegate
        chat.sdk.authorize(user: ChatUser(identifier: "client-1"))
        #expect(try await delegate.first.value == 0)
        let screen = try chat.sdk.getChat()
        screen.viewDidAppear()
        chat.settle()
        let answers = await MainActor.run { () -> [Bool] in
            #expect(delegate.lines > 0)
            return ["app://x", "https://x.example"].compactMap { URL(string: $0) }.map { screen.open($0) }
        }
        #expect(answers == [true, false])
    }

    @Test("with .inline the observer is called on the SDK's own queue from any source")
    func inline() throws {
        let chat = TestChat(in: folder, logLevel: .all)
        let key = DispatchSpecificKey<Bool>()
        let executor = try #require(chat.sdk.hub.executor as? WatchedExecutors.Executor)
        executor.base.queue.setSpecific(key: key, value: true)
        let delegate = QueueDelegate(key)
        chat.sdk.observer = delegate
        let screen = try chat.open()
        // Events from the caller's thread and from the engine's.
        screen.typed("x")
        chat.sdk.driver.engine.post { _ in chat.sdk.log.write(.error, "from anywhere") }
        chat.settle()
        #expect(delegate.calls.values.count > 2)
        #expect(delegate.calls.values.allSatisfy { $0 })
    }

    @Test("an observer that is called inline may call the chat for any line")
    func asksBack() throws {
        let place = folder.url.appendingPathComponent("Chat")
        let store = UserFolder(root: place, providerUID: "provider", appMarker: "tests", clientID: "client-1")
        try store.prepare()
        try Data(repeating: 0x5a, count: 5000).write(to: store.database)
        let chat = TestChat(in: folder, logLevel: .all)
        let delegate = AskingDelegate()
        chat.sdk.observer = delegate
        _ = try chat.open()
        chat.settle()
        #expect(delegate.answers.values.contains(true))
    }

    @Test("the observer is held weakly")
    func weakly() {
        let chat = TestChat(in: folder)
        var delegate: RecordingDelegate? = RecordingDelegate()
        chat.sdk.observer = delegate
        #expect(chat.sdk.observer != nil)
        delegate = nil
        #expect(chat.sdk.observer == nil)
    }

    @Test("when the SDK is freed, its streams end and its screen stops, even if the app still holds it")
    func freed() async throws {
        var chat: TestChat? = TestChat(in: folder)
        let screen = try #require(try chat?.open())
        var events = try #require(chat?.sdk.events).makeAsyncIterator()
        let states = screen.states
        let network = try #require(chat?.network)
        chat = nil
        while await events.next() != nil {}
        for await _ in states {}
        let commands = network.commands.count
        #expect(throws: ChatSendError.self) { try screen.send("too late") }
        #expect(network.commands.count == commands)
    }

    private final class QueueDelegate: ChatCenterUISDKObserver {
        let calls = Noted<Bool>()
        private let isOnQueue: @Sendable () -> Bool

        init(_ key: DispatchSpecificKey<Bool>) {
            isOnQueue = { DispatchQueue.getSpecific(key: key) == true }
        }

        func chatCenterUI(chatCenter: ChatCenterUISDK, didLog event: String) {
            calls.append(isOnQueue())
        }
    }

    private final class AskingDelegate: ChatCenterUISDKObserver {
        let answers = Noted<Bool>()

        func chatCenterUI(chatCenter: ChatCenterUISDK, didLog event: String) {
            let isAuthorized = chatCenter.isAuthorized
            if event.contains("damaged") { answers.append(isAuthorized) }
        }
    }

    private final class MainDelegate: ChatCenterUISDKObserver {
        let first = OneShot<Bool>()
        private let isOnMain: @Sendable () -> Bool

        init(_ key: DispatchSpecificKey<Bool>) {
            isOnMain = { DispatchQueue.getSpecific(key: key) == true }
        }

        func chatCenterUI(chatCenter: ChatCenterUISDK, didChangeUnreadMessages count: Int) {
            first.fulfil(.success(isOnMain()))
        }
    }

    /// A typical delegate of an app: a class of the main actor, without `@preconcurrency`, `nonisolated` or a lock. The
    /// test is that it compiles without a warning.
    @MainActor private final class ViewController: ChatCenterUISDKDelegate {
        let first = OneShot<Int>()
        private(set) var lines = 0
        private var badge = ""
        private let chat: TestChat

        init(_ chat: TestChat) {
            self.chat = chat
        }

        func chatCenterUI(chatCenter: ChatCenterUISDK, didChangeUnreadMessages count: Int) {
            badge = "\(count)"
            first.fulfil(.success(Int(badge) ?? -1))
        }

        func chatCenterUI(chatCenter: ChatCenterUISDK, didOpen url: URL) -> Bool {
            badge = url.absoluteString
            return url.scheme == "app"
        }

        func chatCenterUI(chatCenter: ChatCenterUISDK, didLog event: String) {
            MainActor.assertIsolated()
            lines += 1
        }
    }
}
