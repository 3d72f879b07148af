import ChatCenterCore
import ChatWire
import Foundation
import Testing

@testable import ChatCenter

/// The contract of every store. The store in memory is its simplest implementation.
@Suite struct StoreContractTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func commit(_ changes: StoreChange..., to store: any ChatStore) throws {
        try store.commit(StoreTransaction(user: "client", changes: changes))
    }

    /// Returns the parts of messages that must survive the process. A store in memory may keep more.
    private func persisted(_ messages: [StoredMessage]) -> [StoredMessage?] {
        messages.map { StoredMessage(record: $0.record) }
    }

    @Test("a new store is empty", arguments: StoreUnderTest.allCases)
    func empty(kind: StoreUnderTest) throws {
        let store = kind.make(in: folder)
        #expect(try store.restore(window: 10) == .empty)
        #expect(try store.page(HistoryQuery(before: nil, count: 5)) == HistoryPage(messages: [], hasOlder: false))
        #expect(try store.search(SearchQuery(text: "x", limit: 5)).isEmpty)
    }

    @Test("every state of a message is read back unchanged", arguments: StoreUnderTest.allCases)
    func states(kind: StoreUnderTest) throws {
        let store = kind.make(in: folder)
        let messages = Sample.everyState
        try store.commit(StoreTransaction(user: "client", changes: messages.map { .saveMessage($0) }))
        let restored = try store.restore(window: 100).messages
        #expect(persisted(restored) == persisted(messages.sorted { $0.position < $1.position }))
    }

    @Test("every content is read back unchanged", arguments: StoreUnderTest.allCases)
    func contents(kind: StoreUnderTest) throws {
        let store = kind.make(in: folder)
        let messages = Sample.contents.enumerated().map { index, content in
            StoredMessage(
                id: MessageID("\(index)"), content: content,
                position: MessagePosition(time: 0, sequence: Int64(index)), state: .received(.read))
        }
        try store.commit(StoreTransaction(user: "client", changes: messages.map { .saveMessage($0) }))
        #expect(try store.restore(window: 10).messages == messages)
    }

    @Test("single values are stored, replaced and removed", arguments: StoreUnderTest.allCases)
    func meta(kind: StoreUnderTest) throws {
        let store = kind.make(in: folder)
        let configuration = ConfigurationAnswer(
            settings: CommunicationSettings(pingEnabled: true, extra: ["own": .string("x")]),
            channelConfig: ChannelOverrides(searchEnabled: false))
        try commit(
            .deviceAddress("address"), .configuration(configuration), .cursor("uuid"),
            .dialog(DialogState(phase: .active, since: .min)), .draft("Is my “card”\n"),
            .farewell(Farewell(clientID: "client", deviceAddress: "address")), to: store)
        var chat = try store.restore(window: 1)
        #expect(chat.deviceAddress == "address")
        #expect(chat.configuration == configuration)
        #expect(chat.cursor == "uuid")
        #expect(chat.dialog == DialogState(phase: .active, since: .min))
        #expect(chat.draft == "Is my “card”\n")
        #expect(chat.farewell == Farewell(clientID: "client", deviceAddress: "address"))
        try commit(.cursor(nil), .farewell(nil), .draft(nil), .dialog(DialogState(phase: .ended, since: 5)), to: store)
        chat = try store.restore(window: 1)
        #expect(chat.cursor == nil)
        #expect(chat.draft == nil)
        #expect(chat.farewell == nil)
        #expect(chat.dialog == DialogState(phase: .ended, since: 5))
        #expect(chat.deviceAddress == "address")
    }

    @Test("the newest messages and those in the queue are restored", arguments: StoreUnderTest.allCases)
    func window(kind: StoreUnderTest) throws {
        let store = kind.make(in: folder)
        var messages = (0..<20).map { Sample.received("m\($0)", at: Int64($0)) }
        messages.append(Sample.own("waiting", at: 2, .queued(Sample.entry(1), deadline: nil)))
        try store.commit(StoreTransaction(user: "client", changes: messages.shuffled().map { .saveMessage($0) }))
        let chat = try store.restore(window: 3)
        #expect(chat.messages.map(\.id.text) == ["waiting", "m17", "m18", "m19"])
        #expect(chat.hasOlder)
        #expect(try store.restore(window: 21).hasOlder == false)
        #expect(try store.restore(window: 0).messages.map(\.id.text) == ["waiting"])
    }

    @Test(
        "messages that were read without the server's knowledge, and all newer ones, are restored",
        arguments: StoreUnderTest.allCases)
    func readHere(kind: StoreUnderTest) throws {
        let store = kind.make(in: folder)
        var messages = (0..<20).map { Sample.received("m\($0)", at: Int64($0)) }
        messages[5].state = .received(.readHere)
        messages[12].state = .received(.readHere)
        try store.commit(StoreTransaction(user: "client", changes: messages.shuffled().map { .saveMessage($0) }))
        #expect(try store.restore(window: 3).messages == Array(messages[5...]))
        messages[5].state = .received(.read)
        try commit(.saveMessage(messages[5]), to: store)
        #expect(try store.restore(window: 3).messages == Array(messages[12...]))
        messages[12].state = .received(.read)
        try commit(.saveMessage(messages[12]), to: store)
        #expect(try store.restore(window: 3).messages == Array(messages[17...]))
    }

    @Test("messages are found by their own id and by the server's", arguments: StoreUnderTest.allCases)
    func named(kind: StoreUnderTest) throws {
        let store = kind.make(in: folder)
        let messages = (0..<5).map { Sample.received("m\($0)", at: Int64($0)) }
        try store.commit(StoreTransaction(user: "client", changes: messages.map { .saveMessage($0) }))
        let found = try store.messages(named: ["m1", "server-m3", "m1", "server-m1", "nobody", ""])
        #expect(Set(found) == [messages[1], messages[3]])
        #expect(try store.messages(named: []) == [])
    }

    @Test("a page ends right before the requested position", arguments: StoreUnderTest.allCases)
    func pages(kind: StoreUnderTest) throws {
        let store = kind.make(in: folder)
        // Two messages with the same time, so that the sequence number decides.
        let messages = (0..<10).map { index in
            var message = Sample.received("m\(index)", at: Int64(index / 2))
            message.position.sequence = Int64(index % 2)
            return message
        }
        try store.commit(StoreTransaction(user: "client", changes: messages.map { .saveMessage($0) }))
        let newest = try store.page(HistoryQuery(before: nil, count: 3))
        #expect(newest == HistoryPage(messages: Array(messages[7...9]), hasOlder: true))
        let middle = try store.page(HistoryQuery(before: messages[7].position, count: 3))
        #expect(middle == HistoryPage(messages: Array(messages[4...6]), hasOlder: true))
        let oldest = try store.page(HistoryQuery(before: messages[4].position, count: 4))
        #expect(oldest == HistoryPage(messages: Array(messages[0...3]), hasOlder: false))
        #expect(try store.page(HistoryQuery(before: messages[0].position, count: 4)).messages.isEmpty)
        #expect(try store.page(HistoryQuery(before: nil, count: -1)).messages.isEmpty)
    }

    @Test("a page contains the messages after a position or around a message", arguments: StoreUnderTest.allCases)
    func pagesAround(kind: StoreUnderTest) throws {
        let store = kind.make(in: folder)
        // Two messages with the same time, so that the sequence number decides.
        let messages = (0..<10).map { index in
            var message = Sample.received("m\(index)", at: Int64(index / 2))
            message.position.sequence = Int64(index % 2)
            return message
        }
        try store.commit(StoreTransaction(user: "client", changes: messages.map { .saveMessage($0) }))
        func page(_ bound: HistoryQuery.Bound, _ count: Int) throws -> [StoredMessage] {
            try store.page(HistoryQuery(bound, count: count)).messages
        }
        #expect(try page(.after(messages[4].position), 3) == Array(messages[5...7]))
        #expect(try page(.after(messages[7].position), 5) == Array(messages[8...9]))
        #expect(try page(.after(messages[9].position), 5).isEmpty)
        #expect(try page(.after(messages[4].position), -1).isEmpty)
        let middle = try store.page(HistoryQuery(.around(MessageID("m5")), count: 2))
        #expect(middle == HistoryPage(messages: Array(messages[3...7]), hasOlder: true))
        let oldest = try store.page(HistoryQuery(.around(MessageID("m1")), count: 2))
        #expect(oldest == HistoryPage(messages: Array(messages[0...3]), hasOlder: false))
        #expect(try page(.around(MessageID("m9")), 1) == Array(messages[8...9]))
        #expect(try page(.around(MessageID("m5")), 0) == [messages[5]])
        let unknown = try store.page(HistoryQuery(.around(MessageID("server-m5")), count: 2))
        #expect(unknown == HistoryPage(messages: [], hasOlder: false), "only the message's own id counts")
    }

    @Test("saving again replaces a message, and removing deletes it", arguments: StoreUnderTest.allCases)
    func replaceAndRemove(kind: StoreUnderTest) throws {
        let store = kind.make(in: folder)
        try commit(.saveMessage(Sample.received("a", at: 1)), .saveMessage(Sample.received("b", at: 2)), to: store)
        let moved = Sample.received("a", at: 3, text: "new")
        try commit(.saveMessage(moved), .removeMessage(MessageID("b")), .removeMessage(MessageID("none")), to: store)
        #expect(try store.restore(window: 5).messages == [moved])
    }

    @Test("an amendment changes only the message that it names", arguments: StoreUnderTest.allCases)
    func amend(kind: StoreUnderTest) throws {
        let store = kind.make(in: folder)
        try commit(
            .saveMessage(Sample.received("a", at: 1)), .saveMessage(Sample.own("b", at: 2, .sent)),
            .saveMessage(Sample.own("c", at: 3, .read)), to: store)
        try commit(
            .amend(Amendment(.id(MessageID("a")), .text("edited", formatted: nil))),
            .amend(Amendment(.statusID("b"), .status(.read))),
            // The state of a message never goes back.
            .amend(Amendment(.statusID("c"), .status(.delivered))),
            .amend(Amendment(.id(MessageID("none")), .deleted)), to: store)
        let messages = try store.restore(window: 5).messages
        #expect(messages.map(\.content.text) == ["edited", "own b", "own c"])
        #expect(messages[0].content.modified == .edited)
        #expect(messages[1].state == .own(.read))
        #expect(messages[2].state == .own(.read))
        try commit(.amend(Amendment(.statusID("server-a"), .deleted)), to: store)
        #expect(try store.restore(window: 5).messages[0].content.modified == .deleted)
    }

    @Test("files keep the order of their first commit", arguments: StoreUnderTest.allCases)
    func attachments(kind: StoreUnderTest) throws {
        let store = kind.make(in: folder)
        func job(_ id: String, _ state: AttachmentJob.State, _ checkpoint: String? = nil) -> AttachmentJob {
            AttachmentJob(
                id: TransferID(id), message: MessageID("m"),
                file: LocalFile(
                    path: StoreUnderTest.userFolder(in: folder).files.path + "/\(id)", name: "ä.png", type: "image/png",
                    size: 9), state: state,
                checkpoint: checkpoint.map { UploadCheckpoint($0) })
        }
        try commit(.saveAttachment(job("z", .planned)), .saveAttachment(job("a", .planned)), to: store)
        try commit(.saveAttachment(job("z", .planned, "half")), to: store)
        #expect(try store.restore(window: 1).attachments == [job("z", .planned, "half"), job("a", .planned)])
        try commit(.removeAttachment(TransferID("z")), to: store)
        #expect(try store.restore(window: 1).attachments == [job("a", .planned)])
    }

    @Test(
        "words are found by prefix, ignoring case, newest first, and no character is a wildcard",
        arguments: StoreUnderTest.allCases)
    func search(kind: StoreUnderTest) throws {
        let store = kind.make(in: folder)
        try commit(
            .saveMessage(Sample.received("a", at: 1, text: "Hello World")),
            .saveMessage(Sample.received("b", at: 2, text: "ПРИВЕТ мир, 100% sure")),
            .saveMessage(Sample.received("c", at: 3, text: "hello again, world")), to: store)
        func find(_ text: String, limit: Int = 10) throws -> [String] {
            try store.search(SearchQuery(text: text, limit: limit)).map(\.id.text)
        }
        #expect(try find("hello") == ["c", "a"])
        #expect(try find("WORLD hello") == ["c", "a"])
        #expect(try find("привет") == ["b"])
        #expect(try find("wor HEL") == ["c", "a"])
        #expect(try find("orld").isEmpty, "words are found by prefix only")
        #expect(try find("100%") == ["b"])
        #expect(try find("%").isEmpty)
        #expect(try find("_").isEmpty)
        #expect(try find("  ").isEmpty)
        #expect(try find("hello", limit: 1) == ["c"])
        #expect(try find("'; DROP TABLE message; --").isEmpty)
        #expect(try find("^hello ()") == ["c", "a"])
        for text in [
            "\"", "hello\" OR \"x", "NOT hello x", "hello NEAR(x)", "words:hello x", "hel*lo x", "\0x\0",
        ] {
            #expect(try find(text).isEmpty, "\(text)")
        }
    }

    @Test("the search follows the changes of a message", arguments: StoreUnderTest.allCases)
    func searchFollows(kind: StoreUnderTest) throws {
        let store = kind.make(in: folder)
        func find(_ text: String) throws -> [String] {
            try store.search(SearchQuery(text: text, limit: 10)).map(\.id.text)
        }
        var message = Sample.received("a", at: 1, text: "early words")
        #expect(try find("early").isEmpty)
        try commit(.saveMessage(message), .saveMessage(Sample.received("b", at: 2, text: "early bird")), to: store)
        #expect(try find("early") == ["b", "a"])
        // The author changes the text, and the server sends another time.
        message.content.text = "late words"
        message.position.time = 3
        try commit(.saveMessage(message), to: store)
        #expect(try find("early") == ["b"])
        #expect(try find("late") == ["a"])
        // The attached file is found by its name.
        message.content.attachments = [Attachment(name: "Invoice-7.pdf")]
        try commit(.saveMessage(message), to: store)
        #expect(try find("invo 7") == ["a"])
        // The author deletes the message.
        message.content.modified = .deleted
        try commit(.saveMessage(message), to: store)
        #expect(try find("late").isEmpty)
        try commit(.removeMessage(MessageID("b")), to: store)
        #expect(try find("early").isEmpty)
        try commit(.erase, to: store)
        try commit(.saveMessage(Sample.received("c", at: 1, text: "early again")), to: store)
        #expect(try find("early") == ["c"])
    }

    @Test("any number of messages with the same millisecond are distinguished", arguments: StoreUnderTest.allCases)
    func oneMillisecond(kind: StoreUnderTest) throws {
        let store = kind.make(in: folder)
        let messages = (0..<1100).map { number in
            var message = Sample.received("m\(number)", at: 7, text: "same")
            message.position.sequence = Int64(number)
            return message
        }
        try store.commit(
            StoreTransaction(
                user: "client",
                changes: messages.map { .saveMessage($0) } + [
                    .saveMessage(Sample.received("next", at: 8, text: "same"))
                ]))
        let hits = try store.search(SearchQuery(text: "same", limit: 2000))
        #expect(hits.count == 1101)
        #expect(Set(hits.map(\.id)).count == 1101)
        for time in [Int64.min, .max] {
            try commit(.saveMessage(Sample.received("t\(time)", at: time, text: "absurd")), to: store)
        }
        #expect(try store.search(SearchQuery(text: "absurd", limit: 9)).count == 2)
    }

    @Test("an erasure in a transaction keeps only the changes after it", arguments: StoreUnderTest.allCases)
    func eraseChange(kind: StoreUnderTest) throws {
        let store = kind.make(in: folder)
        try commit(
            .saveMessage(Sample.received("a", at: 1)), .deviceAddress("address"),
            .saveAttachment(
                AttachmentJob(
                    id: TransferID("t"), message: MessageID("a"),
                    file: LocalFile(
                        path: StoreUnderTest.userFolder(in: folder).files.path + "/x", name: "x", type: "x", size: 1))),
            to: store)
        let farewell = Farewell(clientID: "client", deviceAddress: "address")
        try commit(.erase, .farewell(farewell), to: store)
        var expected = PersistedChat.empty
        expected.farewell = farewell
        #expect(try store.restore(window: 10) == expected)
        try commit(.erase, to: store)
        #expect(try store.restore(window: 10) == .empty)
        // The store can be used again.
        try commit(.cursor("new"), to: store)
        #expect(try store.restore(window: 10).cursor == "new")
    }
}
