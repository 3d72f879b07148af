import Testing

@testable import ChatServerCore

@Suite("The desk's values")
struct DeskValueTests {
    private static let ada = DeskOperator(id: "ada", name: "Ada")
    private static let ben = DeskOperator(id: "ben", name: "Ben")

    // MARK: Names

    @Test("The same name in another case is the same operator")
    func names() throws {
        let ada = try #require(DeskOperator(name: "  Ada \t Lovelace\n"))
        #expect(ada.name == "Ada Lovelace")
        #expect(ada.id == DeskOperator(name: "ADA LOVELACE")?.id)
        #expect(DeskOperator(name: String(repeating: "x", count: 40)) != nil)
        for bad in ["", "  ", String(repeating: "x", count: 41), "A\u{0}da", "Ada\u{202E}", "A\u{200B}da"] {
            #expect(DeskOperator(name: bad) == nil, "\(bad.debugDescription)")
        }
        // One character can have any number of scalars.
        #expect(DeskOperator(name: "a" + String(repeating: "\u{301}", count: 1_000)) == nil)
    }

    // MARK: The feed

    private func conversation(_ number: Int) -> DeskFeed.Reference { .conversation(clientID: "c\(number)") }

    @Test("A desk resumes after the last number, without gaps")
    func resume() throws {
        var feed = DeskFeed(limit: 3)
        let start = feed.begin { "e" }
        for number in 1...3 { #expect(feed.append(conversation(number)) == Int64(number)) }
        #expect(feed.changes(after: start)?.map(\.number) == [1, 2, 3])
        #expect(feed.changes(after: DeskPosition(epoch: "e", number: 2))?.map(\.reference) == [conversation(3)])
        #expect(feed.changes(after: DeskPosition(epoch: "e", number: 3)) == [])
    }

    @Test("A position that is too old, in the future or of another run is a gap")
    func gaps() {
        var feed = DeskFeed(limit: 3)
        _ = feed.begin { "e" }
        for number in 1...4 { _ = feed.append(conversation(number)) }
        #expect(feed.changes(after: DeskPosition(epoch: "e", number: 0)) == nil)
        #expect(feed.changes(after: DeskPosition(epoch: "e", number: 1))?.count == 3)
        #expect(feed.changes(after: DeskPosition(epoch: "e", number: 5)) == nil)
        #expect(feed.changes(after: DeskPosition(epoch: "f", number: 3)) == nil)
        // The epoch is determined once.
        #expect(feed.begin { "f" } == DeskPosition(epoch: "e", number: 4))
    }

    @Test("A repeated change is delivered once, with its last number")
    func repeated() {
        var feed = DeskFeed(limit: 10)
        let start = feed.begin { "e" }
        for number in [1, 2, 1] { _ = feed.append(conversation(number)) }
        #expect(feed.changes(after: start)?.map(\.number) == [2, 3])
        #expect(feed.changes(after: start)?.map(\.reference) == [conversation(2), conversation(1)])
    }

    @Test("A position survives its text, and other texts are refused")
    func positions() {
        let position = DeskPosition(epoch: "0a1b", number: 17)
        #expect(DeskPosition(position.description) == position)
        for bad in ["", "-", "17", "e-", "-17", "e--1", "e-1-2", "e-x", "e-99999999999999999999"] {
            #expect(DeskPosition(bad) == nil, "\(bad)")
        }
        #expect(DeskPosition(String(repeating: "e", count: 70) + "-1") == nil)
    }

    // MARK: Presence

    @Test("A stream replaces the page of its session, and a page expires")
    func seats() {
        var presence = DeskPresence(limit: 10)
        #expect(presence.sit(.page(session: "s"), Self.ada, clientID: "alice", until: 60) == true)
        #expect(!presence.hasStreams)
        #expect(presence.nextDue == 60)
        #expect(presence.sit(.stream(1, session: "s"), Self.ada, clientID: "alice", until: nil) == true)
        #expect(presence.hasStreams)
        #expect(presence.nextDue == nil)
        #expect(presence.sit(.page(session: "t"), Self.ben, clientID: nil, until: 60) == true)
        #expect(presence.colleagues.map(\.operator) == [Self.ada, Self.ben])
        #expect(presence.expire(at: 59) == false)
        #expect(presence.expire(at: 60) == true)
        #expect(presence.colleagues == [DeskColleague(operator: Self.ada, clientID: "alice")])
        #expect(presence.leave(.stream(1, session: "s")) == true)
        #expect(presence.leave(.stream(1, session: "s")) == false)
        #expect(presence.colleagues.isEmpty)
    }

    @Test("Two windows of an operator are one colleague, and seats are limited")
    func limit() {
        var presence = DeskPresence(limit: 2)
        #expect(presence.sit(.stream(1, session: "s"), Self.ada, clientID: "alice", until: nil) == true)
        #expect(presence.sit(.stream(2, session: "s"), Self.ada, clientID: "alice", until: nil) == true)
        #expect(presence.colleagues.count == 1)
        #expect(presence.sit(.stream(3, session: "t"), Self.ben, clientID: nil, until: nil) == false)
        // A seat that is taken can change its conversation.
        #expect(presence.sit(.stream(2, session: "s"), Self.ada, clientID: "bob", until: nil) == true)
        #expect(presence.colleagues.count == 2)
    }

    // MARK: Assignments

    @Test("A conversation is never assigned twice, and of two concurrent takeovers one wins")
    func assignments() {
        var assignments = DeskAssignments(restored: [])
        let eve = DeskOperator(id: "eve", name: "Eve")
        let first = DeskAssignment(clientID: "alice", operator: Self.ada, since: 1)
        #expect(assignments.claim("alice", by: Self.ada, at: 1) == .assigned(first))
        #expect(assignments.claim("alice", by: Self.ada, at: 2) == .unchanged)
        #expect(assignments.claim("alice", by: Self.ben, at: 2) == .taken(by: Self.ada))
        // Both have seen Ada's name. The second one is told that Ben was faster.
        let second = DeskAssignment(clientID: "alice", operator: Self.ben, since: 3)
        #expect(assignments.claim("alice", by: Self.ben, from: "ada", at: 3) == .assigned(second))
        #expect(assignments.claim("alice", by: eve, from: "ada", at: 3) == .taken(by: Self.ben))
        #expect(assignments["alice"]?.operator == Self.ben)
        #expect(assignments.release("alice") == true)
        #expect(assignments.release("alice") == false)
        #expect(assignments["alice"] == nil)
    }

    // MARK: Notes

    private func note(_ id: String, _ text: String, about clientID: String = "alice") -> DeskNote {
        DeskNote(noteID: id, clientID: clientID, author: Self.ada, text: text, writtenAt: 1)
    }

    @Test("Notes are limited in number, length and total size")
    func notes() throws {
        var limits = DeskLimits()
        limits.notesPerClient = 2
        limits.noteLength = 5
        limits.noteBytes = 3 * 300
        var notes = DeskNotes(limits: limits, restored: [])
        #expect(throws: OperatorRefusal(.unusable, "A note needs a text.")) { try notes.add(note("1", " \n")) }
        #expect(throws: OperatorRefusal.self) { try notes.add(note("1", "longer")) }
        try notes.add(note("1", "one"))
        try notes.add(note("2", "two"))
        let many = #expect(throws: OperatorRefusal.self) { try notes.add(note("3", "three")) }
        #expect(many?.code == .tooMany)
        try notes.add(note("1", "one", about: "bob"))
        let large = #expect(throws: OperatorRefusal.self) { try notes.add(note("1", "one", about: "carol")) }
        #expect(large?.code == .tooMany)
        #expect(notes["alice"].map(\.text) == ["one", "two"])
        #expect(notes.note("2", about: "alice")?.text == "two")
        #expect(notes.note("2", about: "bob") == nil)
    }

    // MARK: Sessions

    @Test("A session ends at its time, when it is ended, and when there are too many")
    func sessions() {
        var sessions = DeskSessions(limit: 2, length: 10)
        sessions.begin(id: "a", number: "1", form: "f", for: Self.ada, at: 0)
        #expect(sessions.session("a", at: 9)?.operator == Self.ada)
        #expect(sessions.session("a", at: 10) == nil)
        #expect(sessions.session("b", at: 0) == nil)
        sessions.begin(id: "b", number: "2", form: "f", for: Self.ben, at: 1)
        sessions.begin(id: "c", number: "3", form: "f", for: Self.ben, at: 2)
        #expect(sessions.session("a", at: 2) == nil)
        #expect(sessions.session("b", at: 2)?.number == "2")
        #expect(sessions.end("b")?.number == "2")
        #expect(sessions.session("b", at: 2) == nil)
        #expect(sessions.end("b") == nil)
    }

    @Test("After ten attempts, one is allowed in each interval; a success does not count")
    func attempts() {
        var attempts = SignInAttempts(burst: 2, interval: 10, addresses: 2)
        for _ in 0..<5 {
            #expect(attempts.begin([1], at: 0) == nil)
            attempts.succeeded([1])
        }
        #expect(attempts.begin([1], at: 0) == nil)
        #expect(attempts.begin([1], at: 0) == nil)
        #expect(attempts.begin([1], at: 4) == 6)
        #expect(attempts.begin([2], at: 4) == nil)
        #expect(attempts.begin([1], at: 10) == nil)
        #expect(attempts.begin([1], at: 11) == 9)
        // A third address replaces the oldest.
        #expect(attempts.begin([3], at: 11) == nil)
        #expect(attempts.begin([1], at: 11) == nil)
        // After a long time all attempts are forgotten.
        #expect(attempts.begin([1], at: .max) == nil)
    }
}
