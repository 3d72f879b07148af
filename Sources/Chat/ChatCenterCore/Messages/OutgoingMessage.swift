package import ChatWire

/// What the user wants to send.
package struct OutgoingMessage: Hashable, Sendable {
    package struct File: Hashable, Sendable {
        package var id: TransferID
        package var file: LocalFile

        package init(id: TransferID, file: LocalFile) {
            self.id = id
            self.file = file
        }
    }

    /// The most characters that the text may have.
    static let longestText = 4000

    /// `.message`, or something else that a client sends and that must not be lost: an answer to a survey, the wish
    /// to close or to reopen a thread.
    package var body: ContentBody
    package var text: String?
    package var files: [File]
    package var quotes: [Content]
    /// The button that was pressed, so that a bot gets its payload back.
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
    /// The answer that a button under a message stands for.
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
