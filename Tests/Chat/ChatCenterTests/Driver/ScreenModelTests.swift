import ChatCenterCore
import ChatWire
import Foundation
import Testing

@testable import ChatCenter

/// The screen as seen by views.
@Suite(.timeLimit(.minutes(1))) struct ScreenModelTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("the model of the main actor follows its screen, and does not retain it forever")
    @MainActor func model() async throws {
        let chat = TestChat(in: folder)
        let screen = try chat.open()
        var model: ChatScreenModel? = ChatScreenModel(screen)
        #expect(model?.state.messages.isEmpty == true)
        try await screen.send("hello")
        while model?.state.messages.first?.text != "hello" { await Task.yield() }
        weak let held = model
        model = nil
        while held != nil { await Task.yield() }
        try await screen.send("nobody looks")
    }

    @Test("every observer sees the newest state, but not every state")
    func observers() async throws {
        let chat = TestChat(in: folder)
        let screen = try chat.open()
        let streams = (0..<8).map { _ in screen.states }
        for number in 0..<20 { try await screen.send("\(number)") }
        chat.settle()
        for stream in streams {
            var seen = 0
            for await state in stream {
                seen += 1
                if state.messages.count == 20 { break }
            }
            #expect(seen <= 3, "a slow observer does not receive outdated states")
        }
    }

    @Test("a new reader does not receive a state that was queued earlier")
    func newReaderGetsNoOutdatedState() async throws {
        let chat = TestChat(in: folder)
        let screen = try chat.open()
        let (typing, typed) = AsyncStream.makeStream(of: Void.self)
        let goOn = DispatchSemaphore(value: 0)
        chat.network.script.onTransmit = { frame in
            guard case .sendMessage(let content, _) = frame.body, case .typing = content.body else { return }
            typed.yield()
            goOn.wait()
        }
        // No step runs until both messages are written, so the first message's state is outdated then.
        let queue = try #require(chat.sdk.hub.executor as? WatchedExecutors.Executor).base.queue
        queue.suspend()
        try await screen.send("one")
        screen.typed("tw")
        try await screen.send("two")
        var states = screen.states.makeAsyncIterator()
        queue.resume()
        // Here the state with one message was published, and the one with two was not.
        for await _ in typing { break }
        #expect(await states.next()?.messages.count == 2)
        goOn.signal()
    }

    @Test("the user's actions are logged at .userInterface, without the user's text")
    func lines() throws {
        let chat = TestChat(in: folder, logLevel: .userInterface)
        let screen = try chat.open()
        screen.typed("dr4ft")
        try screen.send("t3xt")
        screen.loadOlder()
        screen.viewDidDisappear()
        chat.settle()
        let lines = chat.delegate.lines
        #expect(lines.allSatisfy { $0.hasPrefix("screen ") })
        #expect(lines.count == 5, "\(lines)")
        #expect(!lines.contains { $0.contains("dr4ft") || $0.contains("t3xt") })
    }
}
