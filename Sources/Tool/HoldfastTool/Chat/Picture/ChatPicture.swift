/// What a chat's screen shows, without what a terminal has no use for.
struct ChatPicture: Hashable, Sendable {
    /// A survey that can be answered, or the question whether the conversation is over.
    struct Survey: Hashable, Sendable {
        struct Question: Hashable, Sendable {
            var id: Int64
            var text: String?
            var minimum: Int64
            var maximum: Int64
            /// Buttons that stand for ratings.
            var buttons: [ChatPicture.Button] = []
            /// What was chosen.
            var rate: Int64?
        }

        /// The row that it belongs to.
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

    /// What was found.
    struct Search: Hashable, Sendable {
        var text: String
        var isRunning = false
        var rows: [ChatRow] = []
        var total = 0
        var hasMore = false
        /// The server could not be asked.
        var isLocal = false
        var failure: String?
    }

    /// The connection, in one word.
    var connection: String
    /// What there is to say of it beside.
    var connectionDetail: String?
    /// When the next attempt is made, in milliseconds since 1970. The detail tells the time until then, and gets old.
    var nextAttempt: Int64?
    /// Who types; an empty name where the server did not say.
    var typing: String?
    /// What is wrong, the most pressing first.
    var banners: [String] = []
    /// Why nothing can be typed.
    var blocked: String?
    /// What the server puts into the input field.
    var unread = 0
    /// `idle`, `loading`, `atBeginning` or `failed`.
    var paging = "idle"
    var rows: [ChatRow] = []
    var surveys: [Survey] = []
    var search: Search?
}

/// One row of the conversation, as the terminal shows it.
struct ChatRow: Hashable, Sendable {
    /// Whose row it is.
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
        /// `ready`, or what it is instead, in one word.
        var state: String
        /// What the server says is wrong with it.
        var error: String?
    }

    /// The message's own identity.
    var id: String
    var author: Author
    /// `message`, `notice`, `survey`, `deleted`, or the name of a type that nothing here knows.
    var kind: String
    var text: String?
    var files: [File] = []
    var quotes: [String] = []
    /// What the buttons under it say.
    var buttons: [String] = []
    /// How far a message of the client came: `queued`, `sending`, `sent` …; `nil` for the others.
    var state: String?
    /// Why it failed.
    var failure: String?
    var isEdited = false
    /// Milliseconds since 1970.
    var time: Int64

    /// Whether its place in the conversation is that on the server.
    var isSettled: Bool { author != .me || state == "sent" || state == "delivered" || state == "read" }

    /// Whether what is shown of it is the same, its state apart.
    func hasSameContent(as other: ChatRow) -> Bool {
        var other = other
        other.state = state
        other.failure = failure
        other.time = time
        return self == other
    }
}
