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
