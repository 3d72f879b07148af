package import ChatWire

/// A change to a message that may lie outside of what is in memory; a store applies it to its own row.
package struct Amendment: Hashable, Sendable {
    /// How the message is named.
    package enum Target: Hashable, Sendable {
        case id(MessageID)
        /// The name that the server uses in statuses, or the uuid.
        case statusID(String)
    }

    package enum Change: Hashable, Sendable {
        case text(String?, formatted: String?)
        case deleted
        case attachments([Attachment])
        case speech(status: String?, text: String?)
        /// The message is at least this far.
        case status(MessageStatus)
    }

    package var target: Target
    package var change: Change

    package init(_ target: Target, _ change: Change) {
        self.target = target
        self.change = change
    }
}

extension StoredMessage {
    /// Applies a change; false when it changes nothing.
    package mutating func apply(_ change: Amendment.Change) -> Bool {
        let before = self
        switch change {
        case .text(let text, let formatted):
            content.text = text
            content.formattedText = formatted
            content.modified = .edited
        case .deleted:
            content.text = nil
            content.formattedText = nil
            content.attachments = []
            content.quickReplies = []
            content.modified = .deleted
        case .attachments(let attachments):
            content.attachments = attachments
        case .speech(let status, let text):
            content.speechStatus = status
            content.speechText = text
        case .status(let status):
            guard case .own(let delivery) = state else { return false }
            let next: Delivery =
                switch status {
                case .sent: .sent
                case .delivered: .delivered
                case .read: .read
                }
            guard next.rank > delivery.rank else { return false }
            state = .own(next)
        }
        return self != before
    }
}
