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

    package var text: String?
    package var files: [File]
    package var quotes: [Content]

    package init(text: String?, files: [File] = [], quotes: [Content] = []) {
        self.text = text
        self.files = files
        self.quotes = quotes
    }
}
