import ChatWire
import Testing

@testable import ChatCenterCore

/// Tests the messages of a window.
@Suite struct MessageListTests {
    private func message(_ id: String, at time: Int64) -> StoredMessage {
        StoredMessage(
            id: MessageID(id), content: Content(.message, uuid: id, text: id),
            position: MessagePosition(time: time, sequence: 0), state: .received(.unread))
    }

    private func list(_ times: [Int64]) -> MessageList {
        var list = MessageList()
        for time in times {
            let message = message("m\(time)", at: time)
            list.insert(message, at: list.firstIndex(notBefore: message.position))
        }
        return list
    }

    @Test("messages are sorted by position, whatever the order of insertion")
    func order() {
        let list = list([5, 1, 9, 3])
        #expect(list.map(\.position.time) == [1, 3, 5, 9])
        #expect(list.indices.map { list.position(at: $0) } == list.map(\.position))
        for (time, index) in [(Int64(0), 0), (1, 0), (2, 1), (9, 3), (10, 4)] {
            #expect(list.firstIndex(notBefore: MessagePosition(time: time, sequence: 0)) == index)
        }
    }

    @Test("a copy does not change, and lists with the same messages are equal")
    func copies() {
        var changed = list([1, 2, 3])
        let copy = changed
        #expect(changed.remove(at: 1).id == MessageID("m2"))
        #expect(copy.map(\.id.text) == ["m1", "m2", "m3"])
        #expect(changed.map(\.id.text) == ["m1", "m3"])
        #expect(changed != copy)
        changed.insert(message("m2", at: 2), at: 1)
        #expect(changed == copy)
        #expect(changed.hashValue == copy.hashValue)
        _ = changed.remove(at: 1)
        changed.insert(message("other", at: 2), at: 1)
        #expect(changed != copy)
    }
}
