package import ChatWire

/// A message that the user wants to send.
package struct OutgoingMessage: Hashable, Sendable {
    package struct File: Hashable, Sendable {
        package var id: TransferID
        package var file: LocalFile
        /// The length of a voice message in milliseconds.
        package var durationMilliseconds: Int64?

        package init(id: TransferID, file: LocalFile, durationMilliseconds: Int64? = nil) {
            self.id = id
            self.file = file
            self.durationMilliseconds = durationMilliseconds
        }
    }

    /// The largest number of characters of the text.
    ///
    /// - Error: `ChatCenterUISendMessageError.messageTooLong`
    static let longestText = 4000

    /// `.message`, or another content that must not be lost: a survey answer, or the request to close or reopen a
    /// thread.
    package var body: ContentBody
    package var text: String?
    package var files: [File]
    package var quotes: [Content]
    /// The button that was pressed. It returns the button's payload to the bot.
    package var quickReplies: [QuickReply]

    package init(
        _ body: ContentBody = .message, text: String?, files: [File] = [], quotes: [Content] = [],
        quickReplies: [QuickReply] = []
    ) {
        self.quickReplies = quickReplies
        self.body = body
        self.text = text
        self.files = files
        self.quotes = quotes
    }
}

extension OutgoingMessage {
    /// Creates the answer that a button under a message sends.
    package init(pressing button: ChatScreenMessage.Button) {
        self.init(
            text: button.text,
            quickReplies: [
                QuickReply(
                    id: button.id, text: button.text, imageURL: button.imageURL, url: button.url,
                    payload: button.payload)
            ])
    }
}

extension OutgoingMessage {
    /// Returns the content that is sent to the server.
    func content(_ id: MessageID, clientID: String, _ settings: ChatSettings) -> Content {
        let attachments = files.map { file in
            Attachment(
                id: file.id.text, name: file.file.name, type: file.file.type, size: file.file.size,
                duration: file.durationMilliseconds, state: .pending)
        }
        return Content(
            body, clientID: clientID, uuid: id.text, text: text, attachments: attachments, quotes: quotes,
            quickReplies: quickReplies, appMarker: settings.appMarker, apiVersion: settings.apiVersion)
    }
}

extension ContentBody {
    var isSurveyAnswer: Bool {
        switch self {
        case .surveyQuestionAnswer, .surveyQualityFormAnswer: true
        default: false
        }
    }
}

/// The reason why a message was not queued. ``SendFailure`` is the reason why a queued message failed.
package enum SendRefusal: Error, Hashable, Sendable {
    case notAuthorized
    case empty
    case tooLong(limit: Int)
    /// The file exceeds the limit, in bytes.
    case fileTooLarge(limit: Int64)
    case fileTypeNotAllowed(String)
    /// No socket is live, and the queue is disabled.
    case socketNotActive
    /// The queue is full.
    case queueFull(limit: Int)
    /// The same message with this id, or an upload with a file's id, already exists.
    case duplicate
    /// Another message has this id: a received one, or an own one with different content.
    case identifierInUse
    /// The store could not save the message.
    case store(StoreFailure)
}
