import ChatCenter
import ChatCenterCore
import Foundation

/// The contents of a message's row, ready to be drawn.
struct ChatBubble: Hashable, Sendable, Identifiable {
    /// The side of the screen on which the message is shown.
    enum Side: Hashable, Sendable {
        case incoming, outgoing, middle
    }

    /// The delivery state of an own message.
    struct Delivery: Hashable, Sendable {
        var text: String
        /// The name of the symbol in Apple's SF Symbols.
        var symbol: String
        /// The reason, if the message failed.
        var reason: String?

        var isFailed: Bool { reason != nil }
    }

    /// What the user can do with a message.
    enum Action: Hashable, Sendable {
        case reply, copy, retry, delete
    }

    /// The author of an incoming message, above the first message of a group.
    struct Author: Hashable, Sendable {
        var name: String
        /// The role, if the name does not say it: a bot, for example.
        var role: String?
        /// The address of the photo.
        var photo: String?
        /// The first letter of the name, in the place of a missing photo.
        var initial: String
    }

    var id: MessageID
    var side: Side
    var author: Author?
    /// The user, above the first own message of a group. The view shows it if the theme asks for it.
    var ownAuthor: Author?
    /// The text with its links.
    var text: AttributedString?
    /// The text for the pasteboard; `nil` if the message must not be copied.
    var copyText: String?
    var isDeleted = false
    var isCampaign = false
    var files: [ChatFileItem]
    var quotes: [ChatQuoteItem]
    var buttons: [ChatQuickReply]
    /// The transcript of a voice message.
    var transcript: String?
    var link: ChatLinkItem?
    var time: String
    /// The mark of an edited message.
    var edited: String?
    var delivery: Delivery?
    var actions: [Action]
    /// The message as one sentence for VoiceOver.
    var spoken: String
}

extension ChatBubble {
    /// The text in the place of a masked one. Its length does not tell the length of the text.
    static let mask = "••••••"

    init(_ message: ChatScreenMessage, startsGroup: Bool, texts: ChatUITexts) {
        id = message.id
        let other: ChatOperator?
        switch message.author {
        case .me(let state):
            side = .outgoing
            other = nil
            delivery = Delivery(state, texts)
        case .other(let someone):
            side = .incoming
            other = someone
        case .system:
            side = .incoming
            other = nil
        }
        if startsGroup, let other { author = Author(other, texts) }
        if startsGroup, side == .outgoing { ownAuthor = Author(own: texts(.messageYou)) }

        let words: String?
        switch message.kind {
        case .deleted:
            isDeleted = true
            words = texts(.messageDeleted)
        case .unsupported: words = message.text ?? texts(.unsupportedMessage)
        case .message, .notice, .survey: words = message.text ?? message.formattedText
        }
        let shown = words.flatMap { $0.isEmpty ? nil : message.isMasked ? Self.mask : ChatPlainText.body($0) }
        let linkless = message.isMasked || isDeleted
        text = shown.map { linkless ? AttributedString($0) : ChatLinks.attributed($0) }
        copyText = linkless ? nil : words
        isCampaign = message.isCampaign

        let hasContent = !isDeleted
        files =
            hasContent
            ? message.files.enumerated().map { ChatFileItem($1, at: $0, of: message.id, texts: texts) } : []
        quotes = hasContent ? ChatQuoteItem.items(of: message, texts) : []
        buttons = hasContent ? message.buttons.enumerated().map { ChatQuickReply($1, at: $0) } : []
        transcript = hasContent ? message.speech.flatMap { texts.transcript($0) } : nil
        link = hasContent && !message.isMasked ? message.previewLink.flatMap(ChatLinkItem.init) : nil
        time = texts.format.time(message.timeMilliseconds)
        edited = message.isEdited && hasContent ? texts(.messageEdited) : nil
        actions = Self.actions(message, copies: copyText != nil)

        let name = side == .outgoing ? texts(.messageYou) : other.map(texts.name) ?? texts(.operatorSystem)
        spoken = texts.spoken(
            [name] + quotes.map(\.spoken) + [shown] + files.map(\.spoken)
                + [transcript, time, edited, delivery?.text, delivery?.reason])
    }

    private static func actions(_ message: ChatScreenMessage, copies: Bool) -> [Action] {
        var actions: [Action] = []
        for action in message.actions {
            switch action {
            case .retry: actions.append(.retry)
            case .delete: actions.append(.delete)
            }
        }
        if copies { actions.append(.copy) }
        if message.kind == .message {
            switch message.author {
            case .other, .system, .me(.sent), .me(.delivered), .me(.read): actions.append(.reply)
            case .me: break
            }
        }
        return actions
    }
}

extension ChatBubble.Author {
    init(_ other: ChatOperator, _ texts: ChatUITexts) {
        let plain = other.name.map(ChatPlainText.line) ?? ""
        name = plain.isEmpty ? texts.role(other) : plain
        role = !plain.isEmpty && (other.isBot || other.role == .supervisor) ? texts.role(other) : nil
        photo = other.photoURL
        initial = name.first.map { String($0).uppercased() } ?? ""
    }

    /// The user, who has no photo.
    init(own name: String) {
        self.init(name: name, role: nil, photo: nil, initial: name.first.map { String($0).uppercased() } ?? "")
    }
}

extension ChatBubble.Delivery {
    init(_ state: ChatMessageState, _ texts: ChatUITexts) {
        switch state {
        case .queued: self.init(text: texts(.messageQueued), symbol: "clock")
        case .uploading: self.init(text: texts(.messageUploading), symbol: "arrow.up.circle")
        case .sending: self.init(text: texts(.messageSending), symbol: "arrow.up")
        case .sent: self.init(text: texts(.messageSent), symbol: "checkmark")
        case .delivered: self.init(text: texts(.messageDelivered), symbol: "checkmark.circle")
        case .read: self.init(text: texts(.messageRead), symbol: "checkmark.circle.fill")
        case .failed(let failure):
            self.init(
                text: texts(.messageNotDelivered), symbol: "exclamationmark.circle", reason: texts.failure(failure))
        }
    }
}
