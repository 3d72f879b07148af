import ChatCenter
import ChatCenterCore
import Foundation

/// A result of the search.
struct ChatSearchHit: Hashable, Sendable, Identifiable {
    var id: MessageID
    var author: String
    /// The text around the first match, with the matches marked.
    var parts: [ChatSearchPart]
    var time: String
    /// The result as one sentence for VoiceOver.
    var spoken: String
}

/// A part of a search result.
struct ChatSearchPart: Hashable, Sendable {
    var text: String
    var isMatch: Bool
}

/// The search, ready to be drawn.
struct ChatSearchItem: Hashable, Sendable {
    var hits: [ChatSearchHit]
    /// The number of results in words, or that there are none.
    var status: String?
    /// The note that only this device was searched.
    var local: String?
    var failure: String?
    var isSearching: Bool
    var hasMore: Bool

    init(_ search: ChatScreenSearch, _ texts: ChatUITexts, now: Int64) {
        hits = search.results.map { ChatSearchHit($0, search.text, texts, now: now) }
        isSearching = search.isSearching
        hasMore = search.hasMore
        local = search.isLocal ? texts(.searchLocal) : nil
        failure = search.failure.map { texts.failure($0) }
        if search.isSearching || search.text.isEmpty {
            status = nil
        } else {
            status =
                hits.isEmpty ? texts(.searchNoResults) : texts(.searchResults, count: max(search.total, hits.count))
        }
    }
}

extension ChatSearchHit {
    /// The number of characters that are shown before the first match, and in all.
    private static let before = 30
    private static let length = 160

    init(_ message: ChatScreenMessage, _ query: String, _ texts: ChatUITexts, now: Int64) {
        id = message.id
        switch message.author {
        case .me: author = texts(.messageYou)
        case .other(let other): author = texts.name(other)
        case .system: author = texts(.operatorSystem)
        }
        let body =
            message.isMasked
            ? ChatBubble.mask : message.text ?? message.files.compactMap(\.name).joined(separator: ", ")
        let line = ChatPlainText.body(body).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        parts = Self.parts(of: line, query)
        let day = texts.day(message.timeMilliseconds, now: now)
        time = day + ", " + texts.format.time(message.timeMilliseconds)
        spoken = texts.spoken([author, parts.map(\.text).joined(), time])
    }

    /// Returns the text around the first match of a word, with the matches marked.
    static func parts(of text: String, _ query: String) -> [ChatSearchPart] {
        let words = query.split(whereSeparator: \.isWhitespace).prefix(16).map(String.init)
        func next(_ range: Range<String.Index>) -> Range<String.Index>? {
            words.compactMap {
                text.range(of: $0, options: [.caseInsensitive, .diacriticInsensitive], range: range)
            }.filter { !$0.isEmpty }.min { $0.lowerBound < $1.lowerBound }
        }
        let first = next(text.startIndex..<text.endIndex)
        let begin =
            first.flatMap { text.index($0.lowerBound, offsetBy: -before, limitedBy: text.startIndex) }
            ?? text.startIndex
        let end = text.index(begin, offsetBy: length, limitedBy: text.endIndex) ?? text.endIndex
        var parts: [ChatSearchPart] = []
        if begin > text.startIndex { parts.append(ChatSearchPart(text: "…", isMatch: false)) }
        var place = begin
        while place < end, let match = next(place..<end) {
            if place < match.lowerBound {
                parts.append(ChatSearchPart(text: String(text[place..<match.lowerBound]), isMatch: false))
            }
            parts.append(ChatSearchPart(text: String(text[match]), isMatch: true))
            place = match.upperBound
        }
        if place < end { parts.append(ChatSearchPart(text: String(text[place..<end]), isMatch: false)) }
        if end < text.endIndex { parts.append(ChatSearchPart(text: "…", isMatch: false)) }
        return parts
    }
}

/// The edges of the messages around a search result.
struct ChatContextEdge: Hashable, Sendable {
    var isLoading: Bool
    /// Whether further messages can be loaded on this side.
    var canLoad: Bool
    var failure: String?

    init(_ edge: ChatScreenContext.Edge, _ texts: ChatUITexts) {
        isLoading = edge == .loading
        failure = if case .failed(let cause) = edge { texts.failure(cause) } else { nil }
        canLoad = edge == .idle || failure != nil
    }
}
