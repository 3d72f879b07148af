import ChatServerCore
import ChatWire
import Testing

@Suite("Planned faults")
struct FaultTests {
    private func world(_ faults: ServerFault...) -> ServerWorld {
        let world = ServerWorld()
        world.join()
        world.handle(.faultsPlanned(faults))
        return world
    }

    @Test("A lost frame has no effect, but the next one does")
    func lose() {
        let world = world(.lose(action: "sendMessage"))
        #expect(world.send("one", uuid: "u1") == [.note(.fault)])
        #expect(world.send("one", uuid: "u1").receipt() != nil)
    }

    @Test("A failing frame is answered with the failure once")
    func fail() {
        let world = world(.fail(action: "sendMessage", .tokenExpired))
        #expect(world.send("one", uuid: "u1").failure() == .tokenExpired)
        #expect(world.history().isEmpty)
        #expect(world.send("one", uuid: "u1").receipt() != nil)
    }

    @Test("A message is stored although the connection is cut before the reply")
    func cutBeforeReply() {
        let world = world(.cutBeforeReply(action: "sendMessage"))
        let effects = world.send("one", uuid: "u1")
        #expect(effects.frames().isEmpty)
        #expect(effects.closes() == .fault)
        #expect(world.history().compactMap(\.text) == ["one"])
    }

    @Test("A connection is cut after a number of frames")
    func cutAfterFrames() {
        let world = world(.cut(afterFrames: 2))
        #expect(world.send("one", uuid: "u1").receipt() != nil)
        #expect(world.send("two", uuid: "u2").receipt() != nil)
        let effects = world.send("three", uuid: "u3")
        #expect(effects.closes() == .fault)
        #expect(effects.commits.isEmpty)
    }

    @Test("A push is sent twice")
    func repeatPush() {
        let world = world(.repeatPush)
        let effects = world.handle(.operatorActed(.pushes(Content(.message, text: "Hi"), isKept: true), clientID: nil))
        #expect(effects.pushes().compactMap(\.content.text) == ["Hi", "Hi"])
        #expect(Set(effects.pushes().compactMap(\.messageID)).count == 1)
    }

    @Test("A REST call fails once")
    func failCall() {
        let world = world(.failCall(status: 500, ErrorAnswer("broken")))
        #expect(world.call(.unread) == .failure(status: 500, ErrorAnswer("broken")))
        #expect(world.unreadCount() == 0)
    }
}
