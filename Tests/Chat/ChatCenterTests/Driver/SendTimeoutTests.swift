import ChatCenterCore
import ChatWire
import Foundation
import Testing

@testable import ChatCenter

/// Seeds 0.10 to 0.13: when a message without a response fails. All times are those of the manual clock.
@Suite struct SendTimeoutTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func silent() -> ScriptedNetwork.Script {
        var script = ScriptedNetwork.Script()
        script.answerToMessage = { _ in nil }
        return script
    }

    private func state(_ screen: ChatScreen) -> ChatScreenMessage.Author? {
        screen.state.messages.first?.author
    }

    @Test("with a deadline a message fails sendTimeout after it was sent, not earlier")
    func deadline() async throws {
        let chat = TestChat(in: folder, script: silent())
        let screen = try chat.open()
        let receipt = try await screen.send("lost")
        chat.settle()
        chat.advance(by: .milliseconds(19_999))
        #expect(state(screen) == .me(.sending))
        chat.advance(by: .milliseconds(1))
        #expect(state(screen) == .me(.failed(.timedOut)))
        var last: ChatMessageState?
        for await state in receipt.fate { last = state }
        #expect(last == .failed(.timedOut), "the states end with the failure")
    }

    @Test("the configured timeout applies, including fractions of a second", arguments: [0.25, 5, 60])
    func configured(seconds: Double) throws {
        let chat = TestChat(
            in: folder, script: silent(), configure: { $0.networkConfig.wsConfig.sendTimeout = seconds })
        let screen = try chat.open()
        try screen.send("lost")
        chat.settle()
        chat.advance(by: .milliseconds(Int64(seconds * 1000) - 1))
        #expect(state(screen) == .me(.sending))
        chat.advance(by: .milliseconds(1))
        #expect(state(screen) == .me(.failed(.timedOut)))
    }

    @Test("the documented timer fails a message no later than twice sendTimeout, and only with an active dialog")
    func documentedTimer() throws {
        let chat = TestChat(
            in: folder, script: silent(), configure: { $0.networkConfig.wsConfig.sendTimeoutMode = .documentedTimer })
        let screen = try chat.open()
        try screen.send("lost")
        chat.settle()
        chat.advance(by: .seconds(60))
        #expect(state(screen) == .me(.sending), "no dialog is active: the timer does not run")
        chat.network.push(Content(.threadOpened, uuid: "t", receivedDate: 1_900_000_200_000))
        chat.settle()
        chat.advance(by: .milliseconds(19_999))
        #expect(state(screen) == .me(.sending))
        chat.advance(by: .milliseconds(1))
        #expect(state(screen) == .me(.failed(.timedOut)))
    }

    @Test("an error response fails a message at once")
    func serverError() async throws {
        var script = ScriptedNetwork.Script()
        script.answerToMessage = { _ in .failure(action: "sendMessage", ErrorAnswer("message.refused", details: "no")) }
        let chat = TestChat(in: folder, script: script)
        let screen = try chat.open()
        try await screen.send("refused")
        chat.settle()
        #expect(state(screen) == .me(.failed(.refused(ServerRefusal(code: "message.refused", details: "no")))))
    }

    @Test("a failed message is sent again on request, or deleted")
    func retryAndDelete() throws {
        let chat = TestChat(in: folder, script: silent())
        let screen = try chat.open()
        let kept = try screen.send("kept").id
        chat.settle()
        chat.advance(by: .seconds(20))
        chat.network.script = ScriptedNetwork.Script()
        screen.retry(kept)
        chat.settle()
        #expect(state(screen) == .me(.sent))

        chat.network.script = silent()
        let forgotten = try screen.send("forgotten").id
        chat.settle()
        chat.advance(by: .seconds(20))
        screen.delete(forgotten)
        chat.settle()
        #expect(screen.state.messages.map(\.id) == [kept])
    }

    @Test("a message that waits for a connection has a separate maximum age")
    func outboxAge() throws {
        var script = ScriptedNetwork.Script()
        script.socket = nil
        let chat = TestChat(in: folder, script: script, configure: { $0.outboxMaximumAge = .seconds(3600) })
        let screen = try chat.open()
        try screen.send("waiting")
        chat.settle()
        chat.advance(by: .seconds(3599))
        #expect(state(screen) == .me(.queued))
        chat.advance(by: .seconds(1))
        #expect(state(screen) == .me(.failed(.expired)))
    }

    @Test("the deadline survives a restart")
    func restart() throws {
        let user = ChatUser(identifier: "client-1")
        let clock = ManualChatClock()
        do {
            let chat = TestChat(in: folder, clock: clock, script: silent())
            try chat.open(user).send("lost")
            chat.settle()
        }
        // Another process with another monotonic clock, 25 seconds later by wall time.
        let later = ManualChatClock(wall: clock.now().wall + 25_000)
        var script = ScriptedNetwork.Script()
        script.socket = nil
        let chat = TestChat(in: folder, clock: later, script: script)
        let screen = try chat.open(user)
        chat.advance(by: .milliseconds(1))
        #expect(state(screen) == .me(.failed(.timedOut)))
    }

    @Test("in the background no timer is set after the wait for the pending response has ended")
    func background() throws {
        let chat = TestChat(in: folder, script: silent(), configure: { $0.unreadMessageCountDelay = 30 })
        let screen = try chat.open()
        try screen.send("lost")
        chat.settle()
        #expect(chat.clock.isArmed)
        chat.sdk.applicationDidEnterBackground()
        chat.settle()
        #expect(chat.network.live != nil)
        #expect(chat.holds.values == [5000], "the system is asked for background time")
        chat.advance(by: .seconds(5))
        #expect(chat.holds.values == [5000, nil])
        #expect(!chat.clock.isArmed)
        #expect(chat.network.live == nil)
        chat.advance(by: .seconds(55))
        chat.sdk.applicationWillEnterForeground()
        chat.settle()
        #expect(state(screen) == .me(.failed(.timedOut)), "the stored deadline applies")
        #expect(chat.network.live != nil)
    }
}
