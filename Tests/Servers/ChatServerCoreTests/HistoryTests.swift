import ChatServerCore
import ChatWire
import Testing

@Suite("History, search and unread")
struct HistoryTests {
    /// Creates a conversation with numbered messages of the client; the uuids are the numbers.
    private func world(messages: Int, limits: ServerLimits = ServerLimits()) -> ServerWorld {
        let world = ServerWorld(limits: limits)
        world.join()
        for number in 0..<messages { world.send("message \(number)", uuid: "\(number)") }
        return world
    }

    private func uuids(_ contents: [Content]) -> [String] {
        contents.filter { $0.body == .message }.compactMap(\.uuid)
    }

    @Test("The newest page is sorted oldest first, with names and dates")
    func newest() throws {
        let world = world(messages: 10)
        let page = world.history(count: 3)
        #expect(uuids(page) == ["7", "8", "9"])
        let last = try #require(page.last)
        #expect(last.messageID != nil)
        #expect(last.receivedDate != nil)
        #expect(last.read == false)
        #expect(last.operator == nil)
    }

    @Test("Pages before and after a message do not contain it, and are adjacent to it")
    func cursors() {
        let world = world(messages: 10)
        #expect(uuids(world.history(.before(uuid: "5"), count: 2)) == ["3", "4"])
        #expect(uuids(world.history(.after(uuid: "5"), count: 2)) == ["6", "7"])
        #expect(uuids(world.history(.after(uuid: "9"))).isEmpty)
        #expect(uuids(world.history(.before(uuid: "0"))).isEmpty)
    }

    @Test("Paging back from the newest returns every message once", arguments: [1, 3, 7, 50])
    func pagingBack(size: Int64) throws {
        let world = world(messages: 23)
        var seen: [String] = []
        var page = world.history(count: size)
        while let first = page.first?.uuid {
            seen = page.compactMap(\.uuid) + seen
            page = world.history(.before(uuid: first), count: size)
        }
        #expect(seen.filter { Int($0) != nil } == (0..<23).map(String.init))
    }

    @Test("A removed cursor is before all remaining messages")
    func forgottenCursor() {
        let world = world(messages: 3)
        #expect(uuids(world.history(.before(uuid: "gone"))).isEmpty)
        #expect(uuids(world.history(.after(uuid: "gone"))) == ["0", "1", "2"])
    }

    @Test("The count is clamped on both sides", arguments: [(-5, 1), (0, 1), (1_000_000, 5), (.max, 5)])
    func countIsClamped(count: Int64, expected: Int) {
        var limits = ServerLimits()
        limits.historyCount = 5
        let world = world(messages: 20, limits: limits)
        #expect(world.history(count: count).count == expected)
    }

    @Test("The oldest messages are removed, in memory and in the store")
    func oldMessagesGo() throws {
        var limits = ServerLimits()
        limits.messagesPerClient = 5
        let world = world(messages: 12, limits: limits)
        #expect(uuids(world.history()) == ["7", "8", "9", "10", "11"])
        #expect(world.kept.messages.map(\.uuid) == ["7", "8", "9", "10", "11"])
        #expect(uuids(world.history(.before(uuid: "9"), count: 10)) == ["7", "8"])
    }

    @Test("A call without a client is refused, and an unknown client has no messages")
    func whoCalls() {
        let world = world(messages: 2)
        #expect(world.call(.unread, as: Caller()) == .failure(status: 400, ErrorAnswer("client.missing")))
        #expect(world.history(as: Caller(clientID: "nobody")).isEmpty)
        #expect(world.history(as: Caller(deviceAddress: "unknown")).isEmpty)
        #expect(!world.history(as: Caller(clientID: "alice", deviceAddress: "unknown")).isEmpty)
    }

    @Test("The device address determines the client of a history call")
    func addressWins() throws {
        let world = ServerWorld()
        let address = try #require(world.join())
        world.send("Hello", uuid: "u1")
        #expect(uuids(world.history(as: Caller(clientID: "mallory", deviceAddress: address))) == ["u1"])
    }

    @Test("History is the same after a restart")
    func restart() {
        let world = world(messages: 5)
        world.handle(.operatorActed(.says("Hi"), clientID: nil))
        world.handle(.operatorActed(.reads, clientID: nil))
        let before = world.history()
        world.restart()
        #expect(world.history() == before)
        world.join(on: ConnectionID(7))
        world.send("later", uuid: "later", on: ConnectionID(7))
        #expect(world.history().last?.uuid == "later")
    }

    @Test("Unread counts the operators' messages until the client has read them, also across a restart")
    func unread() throws {
        let world = ServerWorld()
        world.join()
        for text in ["one", "two"] { world.handle(.operatorActed(.says(text), clientID: "alice")) }
        let newest = try #require(world.history().last)
        let lastDate = newest.receivedDate
        #expect(lastDate != nil)
        #expect(world.call(.unread) == .unread(UnreadAnswer(count: 2, lastDate: lastDate)))
        let messageID = try #require(newest.messageID)
        let read = StatusChange(messageID: messageID, status: .read)
        world.receive(.updateStatuses([read], deviceAddress: nil), on: ConnectionID(1))
        #expect(world.call(.unread) == .unread(UnreadAnswer(count: 1, lastDate: lastDate)))
        let back = StatusChange(messageID: messageID, status: .delivered)
        world.receive(.updateStatuses([back], deviceAddress: nil), on: ConnectionID(1))
        world.restart()
        #expect(world.call(.unread) == .unread(UnreadAnswer(count: 1, lastDate: lastDate)))
    }

    @Test("A deleted message does not count as unread")
    func takenBack() throws {
        let world = ServerWorld()
        world.join()
        world.handle(.operatorActed(.says("one"), clientID: "alice"))
        let uuid = try #require(world.history().last?.uuid)
        world.handle(.operatorActed(.deletes(message: uuid), clientID: "alice"))
        #expect(world.unreadCount() == 0)
    }

    @Test("A client cannot set the status of its own messages")
    func ownStatus() throws {
        let world = world(messages: 1)
        let messageID = try #require(world.history().last?.messageID)
        let change = StatusChange(messageID: messageID, status: .read)
        let effects = world.receive(.updateStatuses([change], deviceAddress: nil), on: ConnectionID(1))
        #expect(effects.frames().first?.body == .done(action: "updateStatuses"))
        #expect(effects.commits.isEmpty)
    }

    @Test("Search ignores case and returns pages, newest first")
    func search() throws {
        let world = world(messages: 5)
        world.send("ÜBER message", uuid: "u")
        guard case .search(let hits) = world.call(.search(query: "MESSAGE", page: 1, size: 2)) else {
            Issue.record("No search answer.")
            return
        }
        #expect(hits.total == 6)
        #expect(hits.pages == 3)
        #expect(hits.content.compactMap(\.uuid) == ["3", "2"])
        #expect(hits.page == SearchAnswer.Page(offset: 2, size: 2, number: 1))
        guard case .search(let umlaut) = world.call(.search(query: "über", page: 0, size: 10)) else { return }
        #expect(umlaut.content.compactMap(\.uuid) == ["u"])
    }

    @Test(
        "Any page number and size is safe",
        arguments: [(Int64.max, Int64.max), (.min, .min), (.max, 1), (0, 0), (-1, 10)])
    func searchBounds(page: Int64, size: Int64) {
        let world = world(messages: 5)
        guard case .search(let answer) = world.call(.search(query: "message", page: page, size: size)) else {
            Issue.record("No search answer.")
            return
        }
        #expect(answer.total == 5)
        #expect(answer.content.count <= 5)
    }

    @Test("An empty search text finds nothing, and an overlong one is refused")
    func searchText() {
        let world = world(messages: 2)
        guard case .search(let empty) = world.call(.search(query: "", page: 0, size: 10)) else {
            Issue.record("No search answer.")
            return
        }
        #expect(empty.total == 0)
        let long = String(repeating: "x", count: 257)
        #expect(
            world.call(.search(query: long, page: 0, size: 10))
                == .failure(status: 400, ErrorAnswer("search.query-too-long")))
    }

    @Test("Any client gets the configuration, with the server's time")
    func configuration() {
        let world = ServerWorld()
        guard case .configuration(let answer) = world.call(.configuration(appMarker: nil, apiVersion: 17), as: Caller())
        else {
            Issue.record("No configuration.")
            return
        }
        #expect(answer.schedule?.serverTime == world.now.wall)
        #expect(answer.settings == ConfigurationAnswer.development.settings)
    }

    @Test("The history says whether sending is allowed", arguments: [(true, false), (false, true), (false, false)])
    func sendingAllowed(isActive: Bool, sendsDuringInactive: Bool) {
        var configuration = ConfigurationAnswer.development
        configuration.schedule?.active = isActive
        configuration.schedule?.sendDuringInactive = sendsDuringInactive
        let world = ServerWorld(configuration: configuration)
        guard case .history(let answer) = world.call(.history(HistoryRequest(.newest, count: 1))) else { return }
        #expect(answer.allowedToSendMessages == (isActive || sendsDuringInactive))
    }
}
