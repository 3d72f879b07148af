/// One row of the screen.
public struct ChatScreenMessage: Hashable, Sendable, Identifiable {
    /// Whose row it is.
    public enum Author: Hashable, Sendable {
        /// The client, and how far the message came.
        case me(ChatMessageState)
        /// Somebody who speaks for the company.
        case other(ChatOperator)
        /// The system: a dialog opened, an operator joined.
        case system
    }

    /// A file of the message.
    public struct File: Hashable, Sendable {
        /// The file's id in the file store or its URL; `nil` until it is uploaded.
        public var reference: String?
        /// The name that its sender gave it.
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
        /// What it says, and what is sent when it is pressed.
        public var text: String
        /// What it opens instead of being sent.
        public var url: String?
    }

    /// What the row shows beside its text.
    public enum Kind: Hashable, Sendable {
        /// Text, files or both.
        case message
        /// A line about the dialog.
        case notice
        /// A survey, whose questions come with a later version of the screen.
        case survey
        /// Its author took it back.
        case deleted
        /// A type that this version does not know, by its name.
        case unsupported(String)
    }

    /// The identity of the message.
    public var id: MessageID
    /// Whose row it is.
    public var author: Author
    /// What the row shows beside its text.
    public var kind: Kind
    /// The text, if there is one.
    public var text: String?
    /// The text as Markdown.
    public var formattedText: String?
    /// The files of the message.
    public var files: [File]
    /// The texts that it answers to.
    public var quoted: [String]
    /// Quick replies.
    public var buttons: [Button]
    /// Milliseconds since 1970.
    public var timeMilliseconds: Int64
    /// Its author changed it.
    public var isEdited: Bool
    /// Not read yet, for messages of the other side.
    public var isUnread: Bool
}
