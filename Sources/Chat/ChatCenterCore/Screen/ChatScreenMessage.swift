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
        /// The name of its upload, while this device sends it.
        var upload: String?
        /// What the server says is wrong with it.
        public var error: String?
        /// Whether it can be fetched, and why not.
        public var state: State

        /// How a file stands.
        public enum State: Hashable, Sendable {
            /// Waits for its turn to be uploaded, or the server is not done with it.
            case pending
            /// On its way up: bytes so far, and of how many where that is known.
            case uploading(Int64, of: Int64?)
            /// It can be fetched.
            case ready
            /// The server could not take it; what it said.
            case failed(code: String?, message: String?)
            /// The server keeps it no more.
            case expired
        }
    }

    /// What a voice message says, as the server understood it.
    public struct Speech: Hashable, Sendable {
        /// The server's word for how far it is.
        public var status: String?
        /// The words.
        public var text: String?
    }

    /// What the user can do with a message of his own.
    public enum Action: Hashable, Sendable {
        /// Put it at the end of the queue.
        case retry
        /// Forget it.
        case delete
    }

    /// A button under the message.
    public struct Button: Hashable, Sendable {
        /// What it says, and what is sent when it is pressed.
        public var text: String
        /// What it opens instead of being sent.
        public var url: String?
        /// The server's name for it.
        public var id: String?
        /// Where its picture is.
        public var imageURL: String?
        /// What the bot wants to have back with the answer.
        public var payload: String?
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
    /// The messages that it answers to.
    public var quotes: [ChatScreenQuote]
    /// Quick replies, under the last message alone and until it is answered.
    public var buttons: [Button]
    /// What a line about the dialog says.
    public var notice: ChatNotice?
    /// What a voice message says.
    public var speech: Speech?
    /// The link to show a preview of, where previews are on.
    public var previewLink: String?
    /// It was sent to many.
    public var isCampaign: Bool
    /// The company made it for this client.
    public var isPersonalOffer: Bool
    /// The text is not to be shown in clear.
    public var isMasked: Bool
    /// Milliseconds since 1970.
    public var timeMilliseconds: Int64
    /// Its author changed it.
    public var isEdited: Bool
    /// Not read yet, for messages of the other side.
    public var isUnread: Bool

    /// What the user can do with it.
    public var actions: [Action] {
        switch author {
        case .me(.failed): [.retry, .delete]
        case .me(.queued), .me(.uploading): [.delete]
        default: []
        }
    }
}
