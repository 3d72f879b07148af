import ChatCenterCoreTestSupport
import ChatWire
import Testing

@testable import ChatCenterCore

/// Tests the limits for the size of items from the server.
@Suite struct LargeItemTests {
    static let large = String(repeating: "x", count: 600_000)

    func chat() -> Chat {
        var chat = Chat()
        chat.authorize()
        chat.open()
        return chat
    }

    @Test("only the beginning of a too large item is stored, wherever its bytes are")
    func cut() {
        var chat = chat()
        let object: JSONObject = ["a": .array([.string(Self.large)])]
        let contents = [
            Content(.message, uuid: "text", operator: Operator(id: "1", name: "Ann"), text: Self.large),
            Content(.message, uuid: "extra", text: "short", extra: object),
            Content(
                .message, uuid: "quote", text: "short",
                quotes: [Content(.message, text: Self.large)]),
            Content(.message, uuid: "file", text: "short", attachments: [Attachment(name: Self.large)]),
            Content(.message, uuid: "reply", text: "short", quickReplies: [QuickReply(text: Self.large)]),
            Content(.unknown(type: "NEW", raw: .object(["type": "NEW", "x": .string(Self.large)])), uuid: "unknown"),
        ]
        for content in contents {
            #expect(content.weight > 600_000)
            chat.push(content)
        }
        let kept = chat.stores.of("ann").contents.orderedMessages
        #expect(kept.count == contents.count)
        #expect(kept.allSatisfy { $0.record.bytes.count < 10_000 })
        let first = kept.first { $0.id == MessageID("text") }
        #expect(first?.content.text?.hasPrefix("xxx") == true)
        #expect(first?.content.operator?.name == "Ann")
        let lines = chat.effects.compactMap { if case .log(let record) = $0 { record.message } else { nil } }
        #expect(lines.contains { $0.contains("too large") })
    }

    @Test("a too long id is replaced; short values are stored unchanged")
    func identity() {
        var chat = chat()
        chat.push(Content(.message, uuid: Self.large, text: "who"))
        let whole = Content(.message, uuid: "small", text: String(repeating: "y", count: 4000), extra: ["own": "key"])
        chat.push(whole)
        let kept = chat.stores.of("ann").contents.orderedMessages
        #expect(kept.map(\.content.text?.count) == [3, 4000])
        #expect(kept.allSatisfy { $0.id.text.utf8.count < 100 })
        #expect(kept.last?.content == whole)
    }

    @Test("the size of the messages in memory is limited")
    func window() {
        var window = MessageWindow()
        for number in 0..<400 {
            window.save(
                StoredMessage(
                    id: MessageID("m\(number)"),
                    content: Content(.message, text: String(repeating: "z", count: 200_000)),
                    position: MessagePosition(time: Int64(number), sequence: 0), state: .received(.read)))
        }
        #expect(window.weight <= MessageWindow.longestInBytes)
        #expect(window.messages.count > 100)
        #expect(window.messages.last?.id == MessageID("m399"))
        #expect(window.storeHasOlder)
    }

    @Test("a history that exceeds the memory limit is loaded in parts without gaps")
    func hole() {
        var chat = chat()
        let large = String(repeating: "v", count: 200_000)
        _ = chat.server.says("first", uuid: "o-0")
        chat.handle(.reload)
        for number in 1...300 { _ = chat.server.says(large, uuid: "o-\(number)") }
        chat.server.history.removeAll { $0.uuid == "o-0" }
        chat.server.longestPage = 50
        chat.forgetEffects()
        chat.handle(.reload)
        let cut = chat.stores.of("ann").contents.orderedMessages.count
        #expect((150..<300).contains(cut), "32 MiB contain about 160 of these messages")
        for _ in 0..<20 { chat.advance(milliseconds: 60_000) }
        let kept = Set(chat.stores.of("ann").contents.orderedMessages.compactMap(\.content.uuid))
        #expect((1...300).allSatisfy { kept.contains("o-\($0)") })
    }
}
