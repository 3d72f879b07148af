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
