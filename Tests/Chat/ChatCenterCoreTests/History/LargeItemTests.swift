import ChatWire
import Testing

@testable import ChatCenterCore

/// A server cannot make the device hold whatever it likes.
@Suite struct LargeItemTests {
    static let large = String(repeating: "x", count: 600_000)

    func chat() -> Chat {
        var chat = Chat()
        chat.authorize()
        chat.open()
        return chat
    }

    @Test("of an item that is too large the beginning is kept, wherever its bytes are")
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

    @Test("an identity that is too long is none; what is short is kept as it is")
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

    @Test("the messages in memory have a limit in bytes")
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

    @Test("a history that is too large to be held is closed in parts, and no part of it is left out")
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
        #expect((150..<300).contains(cut), "32 MiB are about 160 of these")
        for _ in 0..<20 { chat.advance(milliseconds: 60_000) }
        let kept = Set(chat.stores.of("ann").contents.orderedMessages.compactMap(\.content.uuid))
        #expect((1...300).allSatisfy { kept.contains("o-\($0)") })
    }
}
