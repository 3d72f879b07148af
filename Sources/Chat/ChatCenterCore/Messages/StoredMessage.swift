package import ChatWire

/// One item of the conversation as the store keeps it.
package struct StoredMessage: Hashable, Sendable {
    package var id: MessageID
    /// The server's name for it, as statuses use it; the uuid serves where there is none.
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

    /// The delivery of an own message.
    package var delivery: Delivery? {
        if case .own(let delivery) = state { delivery } else { nil }
    }

    /// The text that a search looks at: what the user sees of the message and its files' names, not the copy of a survey
    /// as JSON text.
    package var searchableText: String {
        switch content.body {
        case .survey, .buttonSurvey: return ""
        default: break
        }
        let names = content.attachments.compactMap(\.name)
        return ([content.text ?? "", content.speechText ?? ""] + names).filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The name that statuses use.
    package var statusID: String { serverID ?? id.text }
}
