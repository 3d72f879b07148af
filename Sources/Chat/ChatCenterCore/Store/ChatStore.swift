package import ChatWire

/// The persistent store of one user's chat. It is synchronous and is used only inside a driver's turn.
package protocol ChatStore: AnyObject {
    /// Returns what is stored for the user.
    ///
    /// - Parameter window: The number of newest messages to return. Queued messages are returned in addition.
    func restore(window: Int) throws(StoreFailure) -> PersistedChat
    /// Applies all changes or none. When the call returns, the changes survive a crash.
    func commit(_ transaction: StoreTransaction) throws(StoreFailure)
    /// Returns the messages that have one of these names, as their own id or as the server's id, in any order.
    func messages(named names: [String]) throws(StoreFailure) -> [StoredMessage]
    /// Returns a page of messages in order.
    func page(_ query: HistoryQuery) throws(StoreFailure) -> HistoryPage
    /// Returns the matches, newest first.
    func search(_ query: SearchQuery) throws(StoreFailure) -> [SearchHit]
    /// Deletes all data of the user.
    func erase() throws(StoreFailure)
}

/// The stored data of a user at the start of a chat.
package struct PersistedChat: Hashable, Sendable {
    package var deviceAddress: String?
    /// The last valid answer to the configuration call.
    package var configuration: ConfigurationAnswer?
    /// The UUID of the message up to which the history has no gap. Empty if the conversation was empty when it was
    /// loaded; `nil` if it was never loaded.
    package var cursor: String?
    package var dialog = DialogState()
    /// The text that the user typed and did not send.
    package var draft: String?
    /// The newest messages in order, and all messages that are still queued. The range includes the oldest message
    /// whose reading the server has not confirmed.
    package var messages: [StoredMessage] = []
    /// Whether the store has older messages.
    package var hasOlder = false
    package var attachments: [AttachmentJob] = []
    package var farewell: Farewell?

    /// The number of newest messages that are loaded into memory at the start of a chat.
    package static let restoredMessages = 100

    /// The data of an unknown user.
    package static let empty = PersistedChat()
}

/// Changes that are applied together or not at all.
package struct StoreTransaction: Hashable, Sendable {
    /// The client id of the user who owns the store.
    package var user: String
    /// The changes, in order.
    package var changes: [StoreChange]
    /// The ticket of the `send` call that this transaction queues a message for. A failure of the transaction is the
    /// answer to that call.
    package var ticket: Ticket?

    package init(user: String, changes: [StoreChange], ticket: Ticket? = nil) {
        self.user = user
        self.changes = changes
        self.ticket = ticket
    }
}

/// A change to a user's stored data.
package enum StoreChange: Hashable, Sendable {
    /// Inserts a message or replaces the one with the same id.
    case saveMessage(StoredMessage)
    case removeMessage(MessageID)
    /// Changes a message if the store contains it.
    case amend(Amendment)
    /// Inserts a job or replaces the one with the same id.
    case saveAttachment(AttachmentJob)
    case removeAttachment(TransferID)
    case deviceAddress(String)
    case configuration(ConfigurationAnswer)
    /// See `PersistedChat.cursor`.
    case cursor(String?)
    case dialog(DialogState)
    /// See `PersistedChat.draft`.
    case draft(String?)
    case farewell(Farewell?)
    /// Deletes all data of this user, including the pending logout.
    case erase
}

/// A query for stored messages.
package struct HistoryQuery: Hashable, Sendable {
    package enum Bound: Hashable, Sendable {
        /// The newest messages.
        case newest
        /// The messages directly before this position.
        case before(MessagePosition)
        /// The messages directly after this position.
        case after(MessagePosition)
        /// The message itself, and `count` messages on each side. Empty if the store lacks the message.
        case around(MessageID)
    }

    package var bound: Bound
    package var count: Int

    package init(_ bound: Bound, count: Int) {
        self.bound = bound
        self.count = count
    }

    /// Creates a query for the messages before a position; `nil` for the newest messages.
    package init(before: MessagePosition?, count: Int) {
        self.init(before.map { .before($0) } ?? .newest, count: count)
    }
}

/// A page of stored messages, in order.
package struct HistoryPage: Hashable, Sendable {
    package var messages: [StoredMessage]
    /// Whether the store has messages that are older than these.
    package var hasOlder: Bool

    package init(messages: [StoredMessage], hasOlder: Bool) {
        self.messages = messages
        self.hasOlder = hasOlder
    }
}

/// A search for words in stored messages.
///
/// A message matches if each word of the query is a prefix of a word of its `searchableText`. Case is ignored. Deleted
/// messages never match.
package struct SearchQuery: Hashable, Sendable {
    package var text: String
    package var limit: Int

    package init(text: String, limit: Int) {
        self.text = text
        self.limit = limit
    }
}

/// A stored message that matches a search.
package struct SearchHit: Hashable, Sendable {
    package var id: MessageID
    package var position: MessagePosition
    /// The content of the message. If the store does not set it, the driver fills it from `page`. Without it, the hit
    /// can be shown only if the message is in memory.
    package var content: Content?

    package init(id: MessageID, position: MessagePosition, content: Content? = nil) {
        self.id = id
        self.position = position
        self.content = content
    }
}

/// An error of the store.
///
/// - Remedy: Free space on the disk. The SDK retries after 5 seconds.
public struct StoreFailure: Error, Hashable, Sendable {
    /// The kinds of errors.
    public enum Kind: String, Hashable, Sendable {
        /// The disk is full.
        case diskFull
        /// The file is corrupt.
        case corrupt
        /// The file is encrypted, and the key is missing or wrong.
        case locked
        /// Any other error.
        case other
    }

    /// The kind of the error.
    public var kind: Kind
    /// The number under which the complete error is stored; 0 if there is none.
    public var errorID: UInt64

    /// Creates an error of this kind.
    public init(_ kind: Kind, errorID: UInt64 = 0) {
        self.kind = kind
        self.errorID = errorID
    }
}
