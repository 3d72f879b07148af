import ChatCenterCore

/// A row of the chat, in the order of the screen.
enum ChatRow: Hashable, Sendable, Identifiable {
    /// The identity of a row. It does not change while the row's contents change.
    enum ID: Hashable, Sendable {
        case day(Int64)
        case unread
        case message(MessageID)
    }

    /// The date of the rows below, as the number of the day and a time on it in milliseconds since 1970.
    case day(Int64, milliseconds: Int64)
    /// The line above the first unread message.
    case unread
    /// A message of a person or a bot. The first one of a group shows the name of its author.
    case message(ChatScreenMessage, startsGroup: Bool)
    /// A line about the dialog.
    case notice(ChatScreenMessage)
    /// A survey, or the request to close the dialog. The survey is `nil` if it can no longer be answered.
    case survey(ChatScreenMessage, ChatScreenSurvey?)

    var id: ID {
        switch self {
        case .day(let day, _): .day(day)
        case .unread: .unread
        case .message(let message, _), .notice(let message), .survey(let message, _): .message(message.id)
        }
    }

    /// The message of the row, if it has one.
    var message: ChatScreenMessage? {
        switch self {
        case .day, .unread: nil
        case .message(let message, _), .notice(let message), .survey(let message, _): message
        }
    }
}

/// Arranges messages in rows: with a line for each day, a line above the first unread message, and groups.
struct ChatTimeline: Hashable, Sendable {
    /// The longest time between two messages of a group.
    static let groupMilliseconds: Int64 = 300_000

    /// The rows, oldest first.
    private(set) var rows: [ChatRow] = []
    /// Whether an own message has files to upload. Its state changes without a new revision of the screen.
    private(set) var hasUploads = false

    /// Arranges messages.
    ///
    /// - Parameters:
    ///   - messages: The messages, oldest first.
    ///   - unread: The message below the line for unread messages.
    init(
        _ messages: [ChatScreenMessage], surveys: [ChatScreenSurvey], unread: MessageID?, format: ChatUIFormat
    ) {
        rows.reserveCapacity(messages.count + 16)
        var day: Int64?
        var shownDays: Set<Int64> = []
        var previous: ChatScreenMessage?
        for message in messages {
            let own = format.day(message.timeMilliseconds)
            if own != day {
                day = own
                previous = nil
                // The time of a queued message can be earlier than the time of the message before it.
                if shownDays.insert(own).inserted { rows.append(.day(own, milliseconds: message.timeMilliseconds)) }
            }
            if message.id == unread {
                previous = nil
                rows.append(.unread)
            }
            switch message.kind {
            case .notice: rows.append(.notice(message))
            case .survey: rows.append(.survey(message, surveys.first { $0.id == message.id }))
            case .message, .deleted, .unsupported:
                rows.append(.message(message, startsGroup: !(previous.map { message.continues($0) } ?? false)))
            }
            if message.awaitsUpload { hasUploads = true }
            previous = message
        }
    }

    /// Creates an empty timeline.
    init() {}
}

extension ChatScreenMessage {
    fileprivate var awaitsUpload: Bool {
        switch author {
        case .me(.queued), .me(.uploading): !files.isEmpty
        default: false
        }
    }

    /// Whether the message has the same author as the one above it, and was written soon after it.
    fileprivate func continues(_ other: ChatScreenMessage) -> Bool {
        let (distance, overflow) = timeMilliseconds.subtractingReportingOverflow(other.timeMilliseconds)
        guard !overflow, distance < ChatTimeline.groupMilliseconds else { return false }
        switch other.kind {
        case .notice, .survey: return false
        case .message, .deleted, .unsupported: break
        }
        switch (author, other.author) {
        case (.me, .me), (.system, .system): return true
        case (.other(let own), .other(let above)): return own.id == above.id && own.name == above.name
        default: return false
        }
    }
}

/// Remembers which message was the first unread one. The line above it stays while the user reads.
struct ChatUnreadMarker: Hashable, Sendable {
    /// The message below the line.
    private(set) var first: MessageID?

    /// Updates the line with the current messages, oldest first.
    mutating func update(_ messages: [ChatScreenMessage], isVisible: Bool) {
        if let first, !messages.contains(where: { $0.id == first }) { self.first = nil }
        // A message that arrives while the user looks at the chat needs no line.
        guard first == nil, !isVisible else { return }
        first = messages.first { $0.isUnread }?.id
    }

    /// Removes the line: the user has answered or left the chat.
    mutating func clear() { first = nil }
}
