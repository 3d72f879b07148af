package import ChatWire

/// A change to a message that may not be in memory. A store applies it to its own row.
package struct Amendment: Hashable, Sendable {
    /// The way in which the message is identified.
    package enum Target: Hashable, Sendable {
        case id(MessageID)
        /// The name that the server uses in statuses, or the UUID.
        case statusID(String)
    }

    package enum Change: Hashable, Sendable {
        case text(String?, formatted: String?)
        case deleted
        case attachments([Attachment])
        case speech(status: String?, text: String?)
        /// The message has reached at least this status.
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
    /// Applies a change. Returns false if nothing changed.
    package mutating func apply(_ change: Amendment.Change) -> Bool {
        let before = self
        switch change {
        case .text(let text, let formatted):
            // A deleted message stays deleted, whatever arrives later.
            guard content.modified != .deleted else { return false }
            content.text = text
            content.formattedText = formatted
            content.modified = .edited
        case .deleted:
            // An unknown type is written back unchanged, which would include its text.
            if case .unknown = content.body { content.body = .message }
            content.text = nil
            content.formattedText = nil
            content.attachments = []
            content.quickReplies = []
            content.quotes = []
            content.speechStatus = nil
            content.speechText = nil
            content.extra = [:]
            content.modified = .deleted
        case .attachments(let attachments):
            guard content.modified != .deleted else { return false }
            for attachment in attachments { content.update(attachment) }
        case .speech(let status, let text):
            guard content.modified != .deleted else { return false }
            content.speechStatus = status ?? content.speechStatus
            content.speechText = text ?? content.speechText
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

extension Content {
    /// The change that the content makes to another message; `nil` if it is a message itself.
    var amendment: Amendment.Change? {
        switch body {
        case .attachmentUpdated: .attachments(attachments)
        case .speechMessageUpdated: .speech(status: speechStatus, text: speechText)
        case .messageEdited: .text(text, formatted: formattedText)
        case .messageDeleted: .deleted
        default: nil
        }
    }

    /// Merges the server's data about a file. The file is found by its id, then by the reference that it is fetched
    /// with. A newer attachment without both applies to the only file.
    fileprivate mutating func update(_ newer: Attachment) {
        let index =
            attachments.firstIndex { newer.id != nil && $0.id == newer.id }
            ?? attachments.firstIndex { newer.result != nil && $0.result == newer.result }
            ?? (newer.id == nil && newer.result == nil && attachments.count == 1 ? 0 : nil)
        guard let index else { return attachments.append(newer) }
        var known = attachments[index]
        // A late "pending" status must not replace a final state.
        if newer.state != .pending || known.state == nil { known.state = newer.state ?? known.state }
        known.id = newer.id ?? known.id
        known.result = newer.result ?? known.result
        known.url = newer.url ?? known.url
        known.name = newer.name ?? known.name
        known.type = newer.type ?? known.type
        known.size = newer.size ?? known.size
        known.duration = newer.duration ?? known.duration
        known.errorCode = newer.errorCode ?? (newer.state == .ready ? nil : known.errorCode)
        known.errorMessage = newer.errorMessage ?? (newer.state == .ready ? nil : known.errorMessage)
        var extra = newer.extra
        extra.append(missingFrom: known.extra)
        known.extra = extra
        attachments[index] = known
    }
}
