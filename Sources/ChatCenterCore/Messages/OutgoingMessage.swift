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

    /// `.message`, or something else that a client sends and that must not be lost: an answer to a survey, the wish
    /// to close or to reopen a thread.
    package var body: ContentBody
    package var text: String?
    package var files: [File]
    package var quotes: [Content]

    package init(_ body: ContentBody = .message, text: String?, files: [File] = [], quotes: [Content] = []) {
        self.body = body
        self.text = text
        self.files = files
        self.quotes = quotes
    }
}
