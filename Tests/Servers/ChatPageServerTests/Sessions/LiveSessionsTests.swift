import Testing

@testable import ChatPageServer

@Suite("Live sessions")
struct LiveSessionsTests {
    private let maria = ChatPageVisitor("maria")
    private let omar = ChatPageVisitor("omar")
    private let ines = ChatPageVisitor("ines")

    @Test("A session opens once and is then used")
    func opening() {
        var live = LiveSessions(limit: 2, idleTime: 100)
        #expect(live.enter(maria, at: 0) == .open(ending: []))
        #expect(live.enter(maria, at: 1) == .use)
        #expect(live.enter(omar, at: 1) == .open(ending: []))
        #expect(live.count == 2)
    }

    @Test("A session ends when it was idle for the whole time, not while it is used")
    func idle() {
        var live = LiveSessions(limit: 2, idleTime: 100)
        _ = live.enter(maria, at: 0)
        _ = live.enter(maria, at: 0)
        live.leave(maria, at: 10)
        #expect(live.expire(at: 1_000) == [])
        live.leave(maria, at: 1_000)
        #expect(live.expire(at: 1_099) == [])
        #expect(live.expire(at: 1_100) == [maria])
        #expect(live.expire(at: 1_100) == [])
        #expect(live.enter(maria, at: 1_101) == .open(ending: []))
    }

    @Test("Beyond the limit, the session that was idle for the longest time ends")
    func limit() {
        var live = LiveSessions(limit: 2, idleTime: 1_000)
        _ = live.enter(maria, at: 0)
        _ = live.enter(omar, at: 1)
        #expect(live.enter(ines, at: 2) == .full)
        live.leave(omar, at: 3)
        live.leave(maria, at: 4)
        #expect(live.enter(ines, at: 5) == .open(ending: [omar]))
        #expect(live.count == 2)
        #expect(live.enter(omar, at: 6) == .open(ending: [maria]))
        #expect(live.enter(maria, at: 7) == .full)
    }

    @Test("A removed session does not count, and late leaves have no effect")
    func removal() {
        var live = LiveSessions(limit: 1, idleTime: 100)
        _ = live.enter(maria, at: 0)
        #expect(live.contains(maria))
        live.remove(maria)
        #expect(!live.contains(maria))
        live.leave(maria, at: 1)
        #expect(live.count == 0)
        #expect(live.enter(omar, at: 2) == .open(ending: []))
    }
}
