import ChatWire
import Testing

@testable import ChatCenterCore

/// Tests which content counts as a repeated call with the identifier of an existing message.
@Suite struct SentContentTests {
    private func existing(_ state: MessageState = .own(.sent), _ change: (inout Content) -> Void = { _ in })
        -> StoredMessage
    {
        var content = Content(
            .message, uuid: "m", text: "Hi", attachments: [Attachment(name: "a.png", size: 3)],
            quickReplies: [QuickReply(id: "1", text: "Hi", payload: "p")])
        change(&content)
        return StoredMessage(
            id: MessageID("m"), content: content, position: MessagePosition(time: 1, sequence: 0), state: state)
    }

    private func content(_ change: (inout SentContent) -> Void = { _ in }) -> SentContent {
        var content = SentContent(
            text: "Hi", files: [SentContent.File(name: "a.png", size: 3)],
            quickReplies: [QuickReply(id: "1", text: "Hi", payload: "p")])
        change(&content)
        return content
    }

    @Test("the same content is a repeated call")
    func same() {
        #expect(content().refusal(ifTakenBy: existing()) == nil)
        #expect(content { $0.files[0].size = nil }.refusal(ifTakenBy: existing()) == nil, "the file is gone")
        #expect(content { $0.text = "Hi\n" }.refusal(ifTakenBy: existing()) == nil)
        let silent = existing {
            $0.attachments[0].name = nil
            $0.attachments[0].size = nil
            $0.quickReplies = []
        }
        #expect(content().refusal(ifTakenBy: silent) == nil, "the server omits these fields")
        #expect(SentContent(text: nil).refusal(ifTakenBy: existing { $0 = Content(.message, text: "") }) == nil)
    }

    @Test("different content is refused")
    func different() {
        let others = [
            content { $0.text = "Hi there" }, content { $0.text = nil }, content { $0.files = [] },
            content { $0.files[0].name = "b.png" }, content { $0.files[0].size = 4 },
            content { $0.quickReplies[0].payload = "q" }, content { $0.quickReplies[0].id = "2" },
        ]
        for other in others { #expect(other.refusal(ifTakenBy: existing()) == .identifierInUse, "\(other)") }
    }

    @Test("a received, an edited and a deleted message are other messages")
    func changed() {
        #expect(content().refusal(ifTakenBy: existing(.received(.read))) == .identifierInUse)
        for change in [Amendment.Change.text("Hello", formatted: nil), .deleted] {
            var message = existing()
            let isChanged = message.apply(change)
            #expect(isChanged)
            #expect(content().refusal(ifTakenBy: message) == .identifierInUse)
        }
    }
}
