/// What a chat's screen shows, reduced to what a terminal can show.
struct ChatPicture: Hashable, Sendable {
    /// A survey that can be answered, or the request to close the conversation.
    struct Survey: Hashable, Sendable {
        struct Question: Hashable, Sendable {
            var id: Int64
            var text: String?
            var minimum: Int64
            var maximum: Int64
            /// The buttons that stand for ratings.
            var buttons: [ChatPicture.Button] = []
            /// The chosen rating.
            var rate: Int64?
        }

        /// The id of the row that it belongs to.
        var id: String
        /// `rating`, `buttons` or `closeRequest`.
        var kind: String
        var questions: [Question] = []
        var asksForComment = false
    }

    /// A button that stands for a rating.
    struct Button: Hashable, Sendable {
        var text: String
        var rate: Int64
    }

    /// Search results.
    struct Search: Hashable, Sendable {
        var text: String
        var isRunning = false
        var rows: [ChatRow] = []
        var total = 0
        var hasMore = false
        /// Whether only this device was searched, because the server could not be reached.
        var isLocal = false
        var failure: String?
    }

    /// The connection's state, in one word.
    var connection: String
    /// Details of the connection's state.
    var connectionDetail: String?
    /// When the next attempt is made, in milliseconds since 1970. The remaining time in `connectionDetail` becomes
    /// outdated.
    var nextAttempt: Int64?
    /// The name of who is typing; empty if the server sent no name.
    var typing: String?
    /// What is wrong, most urgent first.
    var banners: [String] = []
    /// Why the user cannot write messages.
    var blocked: String?
    var unread = 0
    /// `idle`, `loading`, `atBeginning` or `failed`.
    var paging = "idle"
    var rows: [ChatRow] = []
    var surveys: [Survey] = []
    var search: Search?
    var context: Context?
}

/// One row of the conversation, as the terminal shows it.
struct ChatRow: Hashable, Sendable {
    /// Who wrote the row.
    enum Author: Hashable, Sendable {
        case me
        case other(String)
        case system
    }

    /// A file of a row.
    struct File: Hashable, Sendable {
        var name: String?
        var type: String?
        var bytes: Int64?
        /// `ready`, or another state in one word.
        var state: String
        /// The error that the server reported.
        var error: String?
    }

    /// The message's identifier.
    var id: String
    var author: Author
    /// `message`, `notice`, `survey`, `deleted`, or the name of an unknown type.
    var kind: String
    var text: String?
    var files: [File] = []
    var quotes: [String] = []
    /// The titles of the row's buttons.
    var buttons: [String] = []
    /// The delivery state of one of the user's messages: `queued`, `sending`, `sent` …; `nil` for other rows.
    var state: String?
    /// Why the message failed.
    var failure: String?
    var isEdited = false
    /// Milliseconds since 1970.
    var time: Int64

    /// Whether the row has its final place in the conversation, as on the server.
    var isSettled: Bool { author != .me || state == "sent" || state == "delivered" || state == "read" }

    /// Returns whether both rows show the same content, ignoring the state.
    func hasSameContent(as other: ChatRow) -> Bool {
        var other = other
        other.state = state
        other.failure = failure
        other.time = time
        return self == other
    }
}
