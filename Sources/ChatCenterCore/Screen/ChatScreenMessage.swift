/// One row of the screen.
public struct ChatScreenMessage: Hashable, Sendable, Identifiable {
    /// Whose row it is.
    public enum Author: Hashable, Sendable {
        case me(ChatMessageState)
        case other(ChatOperator)
        /// The system: a dialog opened, an operator joined.
        case system
    }

    /// A file of the message.
    public struct File: Hashable, Sendable {
        /// The file's id in the file store or its URL; `nil` until it is uploaded.
        public var reference: String?
        public var name: String?
        /// The MIME type.
        public var type: String?
        /// Bytes.
        public var size: Int64?
        /// What the server says is wrong with it.
        public var error: String?
    }

    /// A button under the message.
    public struct Button: Hashable, Sendable {
        public var text: String
        public var url: String?
    }

    /// What the row shows beside its text.
    public enum Kind: Hashable, Sendable {
        case message
        case notice
        /// A survey, whose questions come with a later version of the screen.
        case survey
        /// Its author took it back.
        case deleted
        /// A type that this version does not know, by its name.
        case unsupported(String)
    }

    public var id: MessageID
    public var author: Author
    public var kind: Kind
    public var text: String?
    /// The text as Markdown.
    public var formattedText: String?
    public var files: [File]
    public var quoted: [String]
    public var buttons: [Button]
    /// Milliseconds since 1970.
    public var timeMilliseconds: Int64
    public var isEdited: Bool
    /// Not read yet, for messages of the other side.
    public var isUnread: Bool
}
