import ChatWire

/// The bot's answer to a message. Equal messages get equal answers, so that demos and tests can expect them.
struct BotReply: Hashable, Sendable {
    var text: String
    var quickReplies: [QuickReply] = []
    /// Whether the operator leaves with this answer.
    var closesThread = false

    init(to content: Content) {
        let text = content.text ?? ""
        switch text.lowercased() {
        case _ where !content.attachments.isEmpty:
            let names = content.attachments.map { Self.describe($0) }
            self.text = "Thank you, I have received " + names.joined(separator: ", ") + "."
        case "menu", "help":
            self.text = "What would you like to know?"
            quickReplies = ["Opening hours", "Prices", "Bye"].enumerated().map { index, text in
                QuickReply(id: String(index + 1), text: text)
            }
        case "bye":
            self.text = "Goodbye!"
            closesThread = true
        default:
            self.text = "You wrote: \(text)"
        }
    }

    private static func describe(_ attachment: Attachment) -> String {
        let name = attachment.name ?? "a file"
        return attachment.size.map { "\(name) (\($0) bytes)" } ?? name
    }
}
