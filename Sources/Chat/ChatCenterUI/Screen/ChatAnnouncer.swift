import ChatCenter
import ChatCenterCore

/// Decides what VoiceOver says when the chat changes: new messages, failures, problems and typing.
struct ChatAnnouncer: Hashable, Sendable {
    /// The number of new messages that are read out. If more arrive at once, only their number is.
    static let mostMessages = 3

    private var newest: MessageID?
    private var failed: Set<MessageID> = []
    private var banners: Set<ChatBannerItem.Kind> = []
    private var isTyping = false
    private var hasBegun = false

    /// Compares the chat with the last one and returns what to say. The first call returns nothing.
    ///
    /// - Parameter messages: The messages, oldest first.
    mutating func changes(
        _ messages: [ChatScreenMessage], banners items: [ChatBannerItem], title: ChatScreenTitle, _ texts: ChatUITexts
    ) -> [String] {
        let new = newMessages(messages)
        newest = messages.last?.id ?? newest
        let nowFailed = Set(messages.lazy.filter { if case .me(.failed) = $0.author { true } else { false } }.map(\.id))
        let newlyFailed = messages.filter { nowFailed.contains($0.id) && !failed.contains($0.id) }
        failed = nowFailed
        let newBanners = items.filter { !banners.contains($0.id) }
        banners = Set(items.map(\.id))
        let typing = if case .typing = title { true } else { false }
        let beganTyping = typing && !isTyping
        isTyping = typing
        guard hasBegun else {
            hasBegun = true
            return []
        }

        var words: [String] = []
        if new.count > Self.mostMessages {
            words.append(texts(.chatUnread, count: new.count))
        } else {
            words += new.map { texts.spoken($0) }
        }
        words += newlyFailed.prefix(Self.mostMessages).map { ChatBubble($0, startsGroup: false, texts: texts).spoken }
        words += newBanners.map { texts.spoken([$0.text, $0.detail]) }
        if beganTyping, new.isEmpty { words.append(texts.title(title)) }
        return words.filter { !$0.isEmpty }
    }

    /// Returns the messages of the other side below the newest known message. Older pages are above it.
    private func newMessages(_ messages: [ChatScreenMessage]) -> [ChatScreenMessage] {
        guard let newest else { return hasBegun ? messages.filter(\.isFromOtherSide) : [] }
        guard let place = messages.lastIndex(where: { $0.id == newest }) else { return [] }
        return messages[(place + 1)...].filter(\.isFromOtherSide)
    }
}

extension ChatScreenMessage {
    /// Whether a person, a bot or the system wrote the message.
    fileprivate var isFromOtherSide: Bool { if case .me = author { false } else { true } }
}

extension ChatUITexts {
    /// Returns a message as one sentence for VoiceOver.
    func spoken(_ message: ChatScreenMessage) -> String {
        switch message.kind {
        case .notice: notice(message)
        case .survey: spoken([message.text.map(ChatPlainText.line)])
        case .message, .deleted, .unsupported: ChatBubble(message, startsGroup: false, texts: self).spoken
        }
    }
}

/// Decides where the list of messages scrolls, and counts the messages below the visible part.
struct ChatScroller: Hashable, Sendable {
    private var number: UInt64?
    private var newest: MessageID?
    /// Whether the last target was a request of the SDK.
    private(set) var isRequested = false
    /// The number of messages that arrived while the newest ones were not visible.
    private(set) var unseen = 0

    /// Compares the chat with the last one. Returns the row to scroll to.
    ///
    /// - Parameters:
    ///   - messages: The messages, oldest first.
    ///   - marker: The message below the line for unread messages.
    ///   - isAtEnd: Whether the newest messages are visible.
    mutating func target(
        _ messages: [ChatScreenMessage], scroll: ChatScreenScroll, scrollsToLatest: Bool, marker: MessageID?,
        isAtEnd: Bool
    ) -> ChatRow.ID? {
        let requested = number != nil && number != scroll.number
        number = scroll.number
        isRequested = false
        guard let last = messages.last else {
            newest = nil
            unseen = 0
            return nil
        }
        let previous = newest
        newest = last.id
        guard let previous else {
            // The first messages: the line for unread messages, otherwise the newest message.
            return marker == nil ? .message(last.id) : .unread
        }
        if requested, let target = scroll.target, messages.contains(where: { $0.id == target }) {
            isRequested = true
            if target == last.id { unseen = 0 }
            return .message(target)
        }
        guard previous != last.id, let place = messages.lastIndex(where: { $0.id == previous }) else { return nil }
        let isOwn = if case .me = last.author { true } else { false }
        if isAtEnd && scrollsToLatest || isOwn {
            unseen = 0
            return .message(last.id)
        }
        unseen = min(unseen + messages.count - place - 1, 9999)
        return nil
    }

    /// The newest messages are visible.
    mutating func reachedEnd() { unseen = 0 }
}

/// Reports the visibility of a view to the SDK once, also if the view reports it several times.
struct ChatVisibility: Hashable, Sendable {
    private(set) var isVisible = false

    /// Returns whether the SDK must be told.
    mutating func set(_ isVisible: Bool) -> Bool {
        guard self.isVisible != isVisible else { return false }
        self.isVisible = isVisible
        return true
    }
}
