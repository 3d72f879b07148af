package import ChatWire

/// A message of the conversation as the store keeps it.
package struct StoredMessage: Hashable, Sendable {
    package var id: MessageID
    /// The server's id of the message, which statuses use. Without it, statuses use the UUID.
    package var serverID: String?
    package var content: Content
    package var position: MessagePosition
    package var state: MessageState

    package init(
        id: MessageID, serverID: String? = nil, content: Content, position: MessagePosition, state: MessageState
    ) {
        self.id = id
        self.serverID = serverID
        self.content = content
        self.position = position
        self.state = state
    }

    /// The delivery state of an own message; `nil` for a received one.
    package var delivery: Delivery? {
        if case .own(let delivery) = state { delivery } else { nil }
    }

    /// The state of an own message for the user; `nil` for a received one.
    package var visibleState: ChatMessageState? { delivery?.visible(isUploading: false) }

    /// The text that a search uses: the visible text and the names of the files. It excludes the JSON copy of a
    /// survey.
    package var searchableText: String {
        switch content.body {
        case .survey, .buttonSurvey: return ""
        default: break
        }
        let names = content.attachments.compactMap(\.name)
        return ([content.text ?? "", content.speechText ?? ""] + names).filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The id that statuses use.
    package var statusID: String { serverID ?? id.text }
}

/// Whether a message was received or sent by the client, and its state.
package enum MessageState: Hashable, Sendable {
    /// Whether the client has read a received message.
    package enum Reading: String, Hashable, Sendable {
        case unread
        /// The message was read on this device, but the server has not confirmed it.
        case readHere
        case read
    }

    case received(Reading)
    case own(Delivery)
}

/// The position of a message in the conversation: the server's time, then a sequence number for messages with the same
/// time.
package struct MessagePosition: Hashable, Sendable, Comparable {
    /// Milliseconds since 1970, on the server's clock as far as it is known.
    package var time: Int64
    package var sequence: Int64

    package init(time: Int64, sequence: Int64) {
        self.time = time
        self.sequence = sequence
    }

    package static func < (left: MessagePosition, right: MessagePosition) -> Bool {
        (left.time, left.sequence) < (right.time, right.sequence)
    }
}

extension StoredMessage {
    /// Returns the message updated with an item from the server, which repeats the message or confirms an own one.
    func merged(with item: Incoming) -> StoredMessage {
        var message = self
        if let serverID = item.serverID { message.serverID = serverID }
        switch state {
        case .own(let delivery):
            if !delivery.isConfirmed {
                message.content = item.content
                if let time = item.time { message.position.time = time }
            } else if item.content.modified != nil {
                message.content = content.updated(to: item.content)
            }
            let seen: Delivery = item.content.read == true ? .read : .sent
            message.state = .own(seen.rank > delivery.rank ? seen : delivery)
        case .received(let reading):
            message.content = content.updated(to: item.content)
            message.state = .received(item.content.read == true ? .read : reading)
        }
        return message
    }
}

extension Content {
    /// Returns the content updated with newer data from the server. An answer that was sent before an edit or a
    /// deletion does not undo it.
    fileprivate func updated(to newer: Content) -> Content {
        if modified == .deleted { return self }
        var next = newer
        if modified == .edited, newer.modified == nil {
            next.text = text
            next.formattedText = formattedText
            next.modified = .edited
        }
        return next
    }
}
