/// The state of the chat screen, as a value. A view draws it, and a test compares it.
public struct ChatScreenState: Hashable, Sendable {
    /// The state of loading older messages.
    public enum Paging: Hashable, Sendable {
        /// There are older messages; `loadOlder` loads them.
        case idle
        /// Older messages are being loaded.
        case loading
        /// The conversation begins here.
        case atBeginning
        /// Older messages could not be loaded; `loadOlder` retries.
        case failed(TransportFailure)
    }

    /// The title of the screen.
    public internal(set) var title: ChatScreenTitle
    /// The state of the connection.
    public internal(set) var connection: ChatConnectionState
    /// The input field.
    public internal(set) var input: ChatScreenInput
    /// The banners, most urgent first.
    public internal(set) var banners: [ChatBanner]
    /// The state of loading older messages.
    public internal(set) var paging: Paging
    /// The number of unread messages from the company.
    public internal(set) var unreadCount: Int
    /// Whether the screen is visible to the user.
    public internal(set) var isVisible: Bool
    /// Whether the view scrolls to the newest message when one arrives and when the screen appears again.
    public internal(set) var scrollsToLatest: Bool
    /// Whether the history can be searched.
    public internal(set) var showsSearch: Bool
    /// Whether links are shown with a preview.
    public internal(set) var showsLinkPreviews: Bool
    /// A counter that increases with every change of the rows. The rows need no redraw while it stays the same.
    public internal(set) var revision: UInt64
    /// The request to scroll to a message.
    public internal(set) var scroll: ChatScreenScroll
    /// The current search, if there is one.
    public internal(set) var search: ChatScreenSearch?
    /// The surroundings of a search result, if they are open.
    public internal(set) var context: ChatScreenContext?
    /// Surveys that can be answered or were just answered.
    public internal(set) var surveys: [ChatScreenSurvey]
    /// The average time until an operator answers, in the server's words, while the client waits for one.
    public internal(set) var averageWait: String?
    /// The rows that are no longer shown: expired surveys and answered requests.
    var hidden: [MessageID]
    /// The message whose quick replies can be pressed.
    var answerable: MessageID?
    /// The progress of uploads.
    var uploads: [UploadProgress]
    /// The conversation. Rows are created on demand, so that creating a state is as cheap as copying it.
    var window: MessageWindow
    /// Messages with a file that is being uploaded.
    var uploading: [MessageID]

    /// The rows, oldest first.
    public var messages: [ChatScreenMessage] {
        window.messages.compactMap { hidden.contains($0.id) ? nil : row($0) }
    }

    /// Returns the rows by day.
    ///
    /// - Parameter secondsFromGMT: The offset of the user's time zone.
    public func sections(secondsFromGMT: Int = 0) -> [ChatScreenSection] {
        ChatScreenSection.sections(of: messages, secondsFromGMT: secondsFromGMT)
    }

    /// Returns one row without creating the others; `nil` if the message is hidden or unknown.
    public func message(_ id: MessageID) -> ChatScreenMessage? {
        hidden.contains(id) ? nil : window[id].flatMap(row)
    }

    private func row(_ message: StoredMessage) -> ChatScreenMessage? {
        var row = message.row(isUploading: uploading.contains(message.id))
        if message.id != answerable { row?.buttons = [] }
        if showsLinkPreviews { row?.previewLink = message.previewLink }
        for upload in uploads where upload.message == message.id {
            row?.note(upload)
        }
        return row
    }
}

/// The title of the screen.
public enum ChatScreenTitle: Hashable, Sendable {
    /// The connection is not ready yet.
    case connecting
    /// The dialog with an operator has not started.
    case opened
    /// The dialog waits in a queue.
    case waiting
    /// The system is looking for an operator, or for another one.
    case waitingForSpecialist
    /// This operator answers.
    case working(ChatOperator)
    /// An operator is typing; the name is `nil` if the server did not send it.
    case typing(String?)
}

/// A line above the messages that describes a problem.
public enum ChatBanner: Hashable, Sendable {
    /// The configuration could not be loaded: "Failed to load chat settings".
    case configurationFailed(TransportFailure)
    /// The configuration lacks a part that the chat requires.
    case configurationIncomplete
    /// The history could not be loaded. The visible messages may be incomplete.
    case historyFailed(TransportFailure)
    /// The connection was lost. The SDK is reconnecting.
    case connectionLost(DisconnectCause)
    /// The server rejected the token.
    case unauthorized(ServerRefusal?)
    /// The store fails. New messages cannot be saved.
    case storeFailed(StoreFailure)
    /// The text that the company shows outside its working hours.
    case outOfHours(String)
}

/// The input field.
public struct ChatScreenInput: Hashable, Sendable {
    /// The reason why the user cannot type.
    public enum Blocked: Hashable, Sendable {
        /// `userInputEnabled` is off.
        case disabled
        /// The configuration could not be loaded.
        case notConfigured
        /// The company blocked this client.
        case clientBlocked(String?)
        /// The company is outside its working hours. The text says when it is back.
        case outOfHours(String?)
        /// The server does not accept messages now.
        case notAllowed
        /// The last message from the company must be answered with a button.
        case answerWithButton
        /// A survey must be answered first.
        case answerSurvey
    }

    /// The text in the field: the text that the user typed, cut at `maximumLength`, or the prefill. A text that was not
    /// sent is also there after a restart.
    public var text: String
    /// The message that the next message quotes, or the mass mailing that it is linked to.
    public var quote: ChatScreenQuote?
    /// Whether the typed text exceeded the limit and was cut.
    public var isCut: Bool

    /// The number of characters that can still be typed.
    public var remaining: Int { max(0, maximumLength - text.count) }

    /// The text to insert into the field once, when the screen appears.
    public var prefill: String?
    /// The reason why the user cannot type; `nil` if typing is possible.
    public var blocked: Blocked?
    /// The largest number of characters.
    public var maximumLength: Int
    /// Whether the button that attaches files is shown.
    public var showsAttachButton: Bool
    /// Whether the button for voice messages is shown.
    public var showsVoiceButton: Bool

    /// Whether the user can type.
    public var isEnabled: Bool { blocked == nil }
}

/// The rows of one day.
public struct ChatScreenSection: Hashable, Sendable, Identifiable {
    /// The number of days since 1970-01-01, in the time zone that was requested.
    public var id: Int64
    /// The rows, oldest first.
    public var messages: [ChatScreenMessage]

    /// Groups rows by day. The rows must be in order.
    static func sections(of messages: [ChatScreenMessage], secondsFromGMT: Int) -> [ChatScreenSection] {
        let offset = Int64(min(max(secondsFromGMT, -86_400), 86_400)) * 1000
        var sections: [ChatScreenSection] = []
        for message in messages {
            let moment = message.timeMilliseconds.saturatingAdd(offset)
            let day = moment >= 0 ? moment / 86_400_000 : (moment + 1) / 86_400_000 - 1
            if sections.last?.id == day {
                sections[sections.count - 1].messages.append(message)
            } else {
                sections.append(ChatScreenSection(id: day, messages: [message]))
            }
        }
        return sections
    }
}

/// The search on the screen.
public struct ChatScreenSearch: Hashable, Sendable {
    /// The text to search for.
    public var text: String
    /// Whether results are pending.
    public var isSearching: Bool
    /// The results, newest first.
    public var results: [ChatScreenMessage]
    /// The total number of matches, as far as it is known.
    public var total: Int
    /// Whether `searchMore` can load another page.
    public var hasMore: Bool
    /// Whether the results come from this device only, because the server could not be searched.
    public var isLocal: Bool
    /// The reason why the server could not be searched.
    public var failure: TransportFailure?
}

/// A request to scroll to a message. A view scrolls when the number changes.
public struct ChatScreenScroll: Hashable, Sendable {
    /// The number of requests so far.
    public var number: UInt64 = 0
    /// The message to scroll to.
    public var target: MessageID?
}

/// The progress of uploading a message's file.
struct UploadProgress: Hashable, Sendable {
    var file: TransferID
    var message: MessageID
    var bytes: Int64
    var total: Int64?

    /// The progress in hundredths. Smaller changes are not drawn.
    var hundredths: Int64? {
        guard let total, total > 0 else { return nil }
        return min(max(bytes, 0), total) / max(1, total / 100)
    }
}
