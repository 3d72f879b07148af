package import ChatWire

/// The part of a message that a caller repeats when it sends the message again with the same identifier.
///
/// It tells a repeated call from a new message that has the identifier of an earlier one by mistake. Quotes are not
/// compared, because the core adds them.
package struct SentContent: Hashable, Sendable {
    package struct File: Hashable, Sendable {
        package var name: String
        /// The size in bytes; `nil` if the file can no longer be read.
        package var size: Int64?

        package init(name: String, size: Int64?) {
            self.name = name
            self.size = size
        }
    }

    package var text: String?
    package var files: [File]
    package var quickReplies: [QuickReply]

    package init(text: String?, files: [File] = [], quickReplies: [QuickReply] = []) {
        self.text = text
        self.files = files
        self.quickReplies = quickReplies
    }

    package init(_ message: OutgoingMessage) {
        self.init(
            text: message.text, files: message.files.map { File(name: $0.file.name, size: $0.file.size) },
            quickReplies: message.quickReplies)
    }

    /// Returns why a message with this content cannot have the identifier of an existing message. Returns `nil` if the
    /// existing message is the same one, so that the call repeats an earlier one.
    ///
    /// A message that was edited or deleted since then counts as another one: its first content is unknown, and a text
    /// must not get lost.
    package func refusal(ifTakenBy existing: StoredMessage) -> SendRefusal? {
        guard existing.delivery != nil else { return .identifierInUse }
        return isContent(of: existing) ? nil : .identifierInUse
    }

    private func isContent(of message: StoredMessage) -> Bool {
        let content = message.content
        guard Self.trimmed(text) == Self.trimmed(content.text), files.count == content.attachments.count else {
            return false
        }
        // A server may omit what it does not store. What both sides know must match.
        for (file, attachment) in zip(files, content.attachments) {
            if let name = attachment.name, name != file.name { return false }
            if let size = attachment.size, let known = file.size, size != known { return false }
        }
        guard !quickReplies.isEmpty, !content.quickReplies.isEmpty else { return true }
        return quickReplies.map(\.id) == content.quickReplies.map(\.id)
            && quickReplies.map(\.payload) == content.quickReplies.map(\.payload)
    }

    /// Returns the text without white space at its ends, which a server may remove.
    private static func trimmed(_ text: String?) -> Substring {
        var rest = (text ?? "").drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest
    }
}
