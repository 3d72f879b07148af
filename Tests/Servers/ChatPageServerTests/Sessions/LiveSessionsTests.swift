import Testing

@testable import ChatPageServer

@Suite("Live sessions")
struct LiveSessionsTests {
    private let maria = ChatPageVisitor("maria")
    private let omar = ChatPageVisitor("omar")
    private let ines = ChatPageVisitor("ines")

    /// Begins a use of a new session.
    private func opened(
        _ live: inout LiveSessions, _ visitor: ChatPageVisitor, at now: Int64, ending: [ChatPageVisitor] = []
    ) throws -> LiveSessions.Use {
        guard case .open(let use, let others) = live.enter(visitor, at: now) else {
            throw Unexpected("the session is not new")
        }
        #expect(others == ending)
        return use
    }

    @Test("A session opens once and is then used")
    func opening() throws {
        var live = LiveSessions(limit: 2, idleTime: 100)
        let use = try opened(&live, maria, at: 0)
        #expect(live.enter(maria, at: 1) == .use(use))
        let other = try opened(&live, omar, at: 1)
        #expect(other != use)
        #expect(live.count == 2)
    }

    @Test("A session ends when it was idle for the whole time, not while it is used")
    func idle() throws {
        var live = LiveSessions(limit: 2, idleTime: 100)
        let use = try opened(&live, maria, at: 0)
        _ = live.enter(maria, at: 0)
        live.leave(use, at: 10)
        #expect(live.expire(at: 1_000) == [])
        live.leave(use, at: 1_000)
        #expect(live.expire(at: 1_099) == [])
        #expect(live.expire(at: 1_100) == [maria])
        #expect(live.expire(at: 1_100) == [])
        let next = try opened(&live, maria, at: 1_101)
        #expect(next != use)
    }

    @Test("Beyond the limit, the session that was idle for the longest time ends")
    func limit() throws {
        var live = LiveSessions(limit: 2, idleTime: 1_000)
        let first = try opened(&live, maria, at: 0)
        let second = try opened(&live, omar, at: 1)
        #expect(live.enter(ines, at: 2) == .full)
        live.leave(second, at: 3)
        live.leave(first, at: 4)
        _ = try opened(&live, ines, at: 5, ending: [omar])
        #expect(live.count == 2)
        _ = try opened(&live, omar, at: 6, ending: [maria])
        #expect(live.enter(maria, at: 7) == .full)
    }

    @Test("A removed session does not count, and late leaves have no effect")
    func removal() throws {
        var live = LiveSessions(limit: 1, idleTime: 100)
        let use = try opened(&live, maria, at: 0)
        #expect(live.contains(use))
        live.remove(maria)
        #expect(!live.contains(use))
        live.leave(use, at: 1)
        #expect(live.count == 0)
        _ = try opened(&live, omar, at: 2)
    }

    @Test("The end of an earlier session's use does not count for the visitor's next session")
    func generations() throws {
        var live = LiveSessions(limit: 2, idleTime: 100)
        let old = try opened(&live, maria, at: 0)
        live.remove(maria)
        let new = try opened(&live, maria, at: 1)
        live.leave(old, at: 2)
        live.remove(old)
        #expect(live.contains(new))
        // The new session is still used.
        #expect(live.expire(at: 10_000) == [])
        live.leave(new, at: 10_000)
        #expect(live.expire(at: 10_100) == [maria])
    }
}
