import ChatWire

/// A row of the screen.
public struct ChatScreenMessage: Hashable, Sendable, Identifiable {
    /// The author of a row.
    public enum Author: Hashable, Sendable {
        /// The client, with the delivery state of the message.
        case me(ChatMessageState)
        /// A person or program that speaks for the company.
        case other(ChatOperator)
        /// The system, for example when a dialog was opened or an operator joined.
        case system
    }

    /// A file of the message.
    public struct File: Hashable, Sendable {
        /// The file's id in the file store, or its URL; `nil` until the file is uploaded.
        public var reference: String?
        /// The name that the sender gave to the file.
        public var name: String?
        /// The MIME type.
        public var type: String?
        /// The size in bytes.
        public var size: Int64?
        /// The id of the upload while this device uploads the file.
        var upload: String?
        /// The error that the server reported for the file.
        public var error: String?
        /// Whether the file can be downloaded, or why not.
        public var state: State
        /// The properties of a voice message; `nil` unless the file's type is audio.
        public var voice: Voice?

        /// The properties of a voice message.
        public struct Voice: Hashable, Sendable {
            /// The length in milliseconds, if the sender stated it.
            public var durationMilliseconds: Int64?
        }

        /// The state of a file.
        public enum State: Hashable, Sendable {
            /// The file waits for its upload, or the server is still processing it.
            case pending
            /// The file is being uploaded: the number of bytes sent, and the total if it is known.
            case uploading(Int64, of: Int64?)
            /// The file can be downloaded.
            case ready
            /// The server could not process the file. The values are the server's code and message.
            case failed(code: String?, message: String?)
            /// The server no longer stores the file.
            case expired
        }
    }

    /// The transcript of a voice message.
    public struct Speech: Hashable, Sendable {
        /// The server's name for the state of the transcription.
        public var status: String?
        /// The text of the transcript.
        public var text: String?
    }

    /// An action that the user can apply to an own message.
    public enum Action: Hashable, Sendable {
        /// Moves the message to the end of the queue.
        case retry
        /// Deletes the message.
        case delete
    }

    /// A button under the message.
    public struct Button: Hashable, Sendable {
        /// The label, which is also the text that is sent when the button is pressed.
        public var text: String
        /// The URL that the button opens instead of sending the text.
        public var url: String?
        /// The server's id of the button.
        public var id: String?
        /// The URL of the button's picture.
        public var imageURL: String?
        /// The payload that is returned to the bot with the answer.
        public var payload: String?
    }

    /// The kind of a row, which decides what the row shows in addition to its text.
    public enum Kind: Hashable, Sendable {
        /// Text, files or both.
        case message
        /// A system line about the dialog.
        case notice
        /// A survey. Its questions are in ``ChatScreenState/surveys``.
        case survey
        /// The author deleted the message.
        case deleted
        /// A type that this version does not support, by its name.
        case unsupported(String)
    }

    /// The identity of the message.
    public var id: MessageID
    /// The author of the row.
    public var author: Author
    /// The kind of the row.
    public var kind: Kind
    /// The text, if there is one.
    public var text: String?
    /// The text as Markdown.
    public var formattedText: String?
    /// The files of the message.
    public var files: [File]
    /// The texts of the quoted messages.
    public var quoted: [String]
    /// The quoted messages.
    public var quotes: [ChatScreenQuote]
    /// Quick replies. Only the last message has them, until it is answered.
    public var buttons: [Button]
    /// The meaning of a system line about the dialog.
    public var notice: ChatNotice?
    /// The transcript of a voice message.
    public var speech: Speech?
    /// The link to show a preview of, if previews are enabled.
    public var previewLink: String?
    /// Whether the message is a mass mailing.
    public var isCampaign: Bool
    /// Whether the message is a personal offer to this client.
    public var isPersonalOffer: Bool
    /// Whether the text must be hidden, for example behind asterisks.
    public var isMasked: Bool
    /// The time in milliseconds since 1970.
    public var timeMilliseconds: Int64
    /// Whether the author edited the message.
    public var isEdited: Bool
    /// Whether this is an unread message from the company.
    public var isUnread: Bool

    /// The actions that the user can apply to the message.
    public var actions: [Action] {
        switch author {
        case .me(.failed): [.retry, .delete]
        case .me(.queued), .me(.uploading): [.delete]
        default: []
        }
    }
}

/// A message as a quote in another message.
public struct ChatScreenQuote: Hashable, Sendable {
    /// The id of the quoted message, if it has one.
    public var id: MessageID?
    /// The author; `nil` for the client.
    public var author: ChatOperator?
    /// The text.
    public var text: String?
    /// The number of files.
    public var fileCount: Int
    /// Whether the quoted message is a mass mailing.
    public var isCampaign: Bool

    init(_ content: Content) {
        id = content.uuid.map { MessageID($0) }
        author = content.operator.map(ChatOperator.init)
        text = content.text
        fileCount = content.attachments.count
        isCampaign = content.massPushMessage == true
    }
}

/// The meaning of a system line about the dialog. A view can show its own words instead of the line's text.
public enum ChatNotice: Hashable, Sendable {
    /// This operator joined.
    case operatorJoined(ChatOperator?)
    /// This operator left.
    case operatorLeft(ChatOperator?)
    /// The system is looking for an operator.
    case lookingForOperator
    /// A dialog was opened.
    case threadOpened
    /// The dialog is being handled.
    case threadInProgress
    /// The dialog was closed.
    case threadClosed
    /// The dialog waits for an operator.
    case threadEnqueued
    /// Another operator will take over.
    case threadWillBeReassigned
    /// The average time until an operator answers; the text contains it.
    case averageWaitTime
    /// The closing words after a survey.
    case partingAfterSurvey
    /// The company blocked the client.
    case clientBlocked
    /// The company unblocked the client.
    case clientUnblocked
    /// The notice about the processing of personal data.
    case personalDataProcessing

    /// Creates a notice from a content. Returns `nil` if the content is not a system line about the dialog.
    init?(_ content: Content) {
        let other = content.operator.map(ChatOperator.init)
        switch content.body {
        case .operatorJoined: self = .operatorJoined(other)
        case .operatorLeft: self = .operatorLeft(other)
        case .operatorLookupStarted: self = .lookingForOperator
        case .threadOpened: self = .threadOpened
        case .threadInProgress: self = .threadInProgress
        case .threadClosed: self = .threadClosed
        case .threadEnqueued: self = .threadEnqueued
        case .threadWillBeReassigned: self = .threadWillBeReassigned
        case .averageWaitTime: self = .averageWaitTime
        case .partingAfterSurvey: self = .partingAfterSurvey
        case .clientBlocked: self = .clientBlocked
        case .clientUnblocked: self = .clientUnblocked
        case .clientPersonalDataProcessing: self = .personalDataProcessing
        default: return nil
        }
    }
}

/// The delivery state of one of the client's own messages, as the user sees it.
public enum ChatMessageState: Hashable, Sendable {
    /// The message is saved and waits for its turn or for a connection.
    case queued
    /// A file of the message is being uploaded.
    case uploading
    /// The message was sent and has no answer yet.
    case sending
    /// The server has the message.
    case sent
    /// The message was delivered to the company.
    case delivered
    /// The company has read the message.
    case read
    /// The message failed. It is sent again only if the user requests it.
    case failed(SendFailure)
}
