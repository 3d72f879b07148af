import ChatCenter
import ChatCenterCore
import Foundation

/// A quoted message, in a message or above the input field.
struct ChatQuoteItem: Hashable, Sendable {
    /// The id of the quoted message. The view can show its place in the conversation.
    var id: MessageID?
    var author: String
    var text: String

    /// The quote as a part of a sentence for VoiceOver.
    var spoken: String { author.isEmpty ? text : author + ": " + text }

    init(_ quote: ChatScreenQuote, _ texts: ChatUITexts) {
        id = quote.id
        author = quote.author.map(texts.name) ?? (quote.isCampaign ? "" : texts(.messageYou))
        let own = quote.text.map(ChatPlainText.line) ?? ""
        text = own.isEmpty && quote.fileCount > 0 ? texts(.messageFiles, count: quote.fileCount) : own
    }

    private init(text: String) {
        author = ""
        self.text = ChatPlainText.line(text)
    }

    /// The number of quotes of a message that are shown. Further ones are left out.
    static let most = 10

    /// Returns the quotes of a message. Older servers send only their texts.
    static func items(of message: ChatScreenMessage, _ texts: ChatUITexts) -> [ChatQuoteItem] {
        message.quotes.isEmpty
            ? message.quoted.prefix(most).map(ChatQuoteItem.init(text:))
            : message.quotes.prefix(most).map { ChatQuoteItem($0, texts) }
    }
}

/// A button under a message, or in the toolbar above the input field.
struct ChatQuickReply: Hashable, Sendable, Identifiable {
    /// The place of the button in its message.
    var id: Int
    var title: String
    /// The address that the button opens; `nil` for a button that sends its text.
    var url: URL?
    /// The address of the button's picture.
    var image: String?
    var button: ChatScreenMessage.Button

    init(_ button: ChatScreenMessage.Button, at index: Int) {
        id = index
        title = ChatPlainText.line(button.text)
        url = button.url.flatMap(ChatLinks.url)
        image = button.imageURL
        self.button = button
    }
}

/// The link of a message as a card. The card shows the link's host; the page behind the link is not fetched.
struct ChatLinkItem: Hashable, Sendable {
    var url: URL
    var host: String
    var path: String

    init?(_ address: String) {
        guard let url = ChatLinks.url(address), let host = url.host() else { return nil }
        self.url = url
        self.host = ChatPlainText.line(host)
        let path = url.path()
        self.path = path == "/" ? "" : ChatPlainText.line(path)
    }
}

extension ChatUITexts {
    /// Returns the transcript of a voice message, or a text that it is being written.
    func transcript(_ speech: ChatScreenMessage.Speech) -> String? {
        if let text = speech.text, !text.isEmpty { return ChatPlainText.body(text) }
        return switch speech.status?.lowercased() {
        case "processing": self(.messageVoiceTranscriptPending)
        case "error": self(.messageVoiceTranscriptFailed)
        default: nil
        }
    }
}
