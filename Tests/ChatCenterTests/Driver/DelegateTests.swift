import ChatCenterCore
import ChatWire
import Foundation
import HoldfastTestSupport
import Synchronization
import Testing

@testable import ChatCenter

/// What the app is told, and where.
@Suite struct DelegateTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func incoming(_ uuid: String, at time: Int64) -> Content {
        Content(.message, uuid: uuid, operator: Operator(id: "1"), text: "text", receivedDate: time)
    }

    @Test("the unread count comes with the history, with live messages and with the answer to a question")
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
        #expect(chat.delegate.unread.last == 3)
    }

    @Test("a lost socket is told to the delegate, to the stream and on the screen")
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

    @Test("RULINGS C3: what the initialiser had to say is told when the delegate is set")
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
        let lines = chat.delegate.lines
        #expect(lines.contains { $0.contains("bad.cer") && $0.contains("unusable") })
        #expect(lines.contains { $0.contains("Only one key") })
        #expect(lines.contains { $0.contains("allowUntrustedSSLCertificate is ignored") })
        #expect(lines.contains { $0.contains("HTTPConfig.connectionTimeout") })
        #expect(chat.sdk.effectiveConfig.restTimeout == .seconds(30))
        #expect(chat.sdk.connectionState.security == .pinnedKeys(certificates: 1))
        #expect(chat.sdk.effectiveConfig.security == .pinnedKeys(certificates: 1))
    }

    @Test("RULINGS C2: no verification is said at once and shown in the state")
    func unverified() throws {
        let chat = TestChat(
            in: folder, logLevel: .error,
            configure: { $0.networkConfig.sslPinning.allowUntrustedSSLCertificate = true })
        #expect(chat.delegate.lines.contains { $0.contains("ANY server") })
        #expect(chat.sdk.connectionState.security == .unverified)
        #expect(chat.sdk.effectiveConfig.security == .unverified)
    }

    @Test("with logging off the delegate hears no line")
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
        chat.sdk.delegate = nil
        #expect(!screen.open(try #require(URL(string: "app://x"))))
    }

    @Test("the delegate is called on the queue that was named, in order")
    func executor() async throws {
        let chat = TestChat(in: folder, logLevel: .all)
        let queue = DispatchQueue(label: "tests.delegate")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let delegate = QueueDelegate(key)
        chat.sdk.delegateExecutor = .queue(queue)
        chat.sdk.delegate = delegate
        try chat.open().send("x")
        chat.settle()
        queue.sync {}
        #expect(!delegate.calls.values.isEmpty)
        #expect(delegate.calls.values.allSatisfy { $0 })
    }

    @Test("by default the delegate is called on the main queue")
    func mainThread() async throws {
        let chat = TestChat(in: folder)
        let key = DispatchSpecificKey<Bool>()
        // Not `Thread.isMainThread`: where the main queue is served by `dispatchMain`, it has no thread of its own.
        DispatchQueue.main.setSpecific(key: key, value: true)
        let delegate = MainDelegate(key)
        chat.sdk.delegateExecutor = .mainActor
        chat.sdk.delegate = delegate
        chat.sdk.authorize(user: ChatUser(identifier: "client-1"))
        #expect(try await delegate.first.value)
    }

    @Test("a delegate that is called at once may ask the chat back, whatever the line is about")
    func asksBack() throws {
        let place = folder.url.appendingPathComponent("Chat")
        let store = UserFolder(root: place, providerUID: "provider", appMarker: "tests", clientID: "client-1")
        try store.prepare()
        try Data(repeating: 0x5a, count: 5000).write(to: store.database)
        let chat = TestChat(in: folder, logLevel: .all)
        let delegate = AskingDelegate()
        chat.sdk.delegate = delegate
        _ = try chat.open()
        chat.settle()
        #expect(delegate.answers.values.contains(true))
    }

    @Test("the delegate is held weakly")
    func weakly() {
        let chat = TestChat(in: folder)
        var delegate: RecordingDelegate? = RecordingDelegate()
        chat.sdk.delegate = delegate
        #expect(chat.sdk.delegate != nil)
        delegate = nil
        #expect(chat.sdk.delegate == nil)
    }

    @Test("when the SDK goes, its streams end and its screen is dead, even while the app still holds it")
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
        #expect(throws: ChatSendError.self) { try screen.send("to nobody") }
        #expect(network.commands.count == commands)
    }

    private final class QueueDelegate: ChatCenterUISDKDelegate {
        let calls = Noted<Bool>()
        private let isOnQueue: @Sendable () -> Bool

        init(_ key: DispatchSpecificKey<Bool>) {
            isOnQueue = { DispatchQueue.getSpecific(key: key) == true }
        }

        func chatCenterUI(chatCenter: ChatCenterUISDK, didLog event: String) {
            calls.append(isOnQueue())
        }
    }

    private final class AskingDelegate: ChatCenterUISDKDelegate {
        let answers = Noted<Bool>()

        func chatCenterUI(chatCenter: ChatCenterUISDK, didLog event: String) {
            let isAuthorized = chatCenter.isAuthorized
            if event.contains("damaged") { answers.append(isAuthorized) }
        }
    }

    private final class MainDelegate: ChatCenterUISDKDelegate {
        let first = OneShot<Bool>()
        private let isOnMain: @Sendable () -> Bool

        init(_ key: DispatchSpecificKey<Bool>) {
            isOnMain = { DispatchQueue.getSpecific(key: key) == true }
        }

        func chatCenterUI(chatCenter: ChatCenterUISDK, didChangeUnreadMessages count: Int) {
            first.fulfil(.success(isOnMain()))
        }
    }
}
