package import ChatWire

/// A request of the operator desk.
package enum DeskRequest: Hashable, Sendable {
    /// Requests the inbox.
    case inbox
    /// Requests one row of the inbox.
    case row(clientID: String)
    /// Requests a page of a conversation.
    case conversation(clientID: String, DeskBound)
    /// Requests messages, notes and clients that contain a text.
    case search(String)
    /// A page shows a conversation, or only the inbox.
    case sits(DeskSeat, DeskOperator, clientID: String?)
    /// A stream begins. The answer contains what it has missed.
    case follows(DeskSeat, DeskOperator, clientID: String?, after: DeskPosition?)
    /// A stream or a page has ended.
    case leaves(DeskSeat)
    /// Executes an operator's action in a conversation.
    case act(DeskAction, clientID: String, by: DeskOperator)
}

/// Which part of a conversation a page shows. A message is identified by its message id.
package enum DeskBound: Hashable, Sendable {
    case newest
    case before(String)
    case after(String)
    case around(String)
}

/// An operator's action at the desk.
package enum DeskAction: Hashable, Sendable {
    /// Sends a message. Assigns an unassigned conversation to the operator. A known uuid sends nothing again.
    case says(Content)
    /// Adds a note. A known id adds nothing again.
    case notes(id: String, text: String)
    /// Shows the client and the colleagues that the operator is typing.
    case types
    /// Marks the client's messages as read, up to this one.
    case reads(through: String)
    /// Assigns the conversation to the operator. It must be unassigned, or assigned to the operator with this id.
    case claims(from: String?)
    /// Ends the operator's assignment.
    case releases
    /// Closes the conversation, after a survey if one is given.
    case closes(Survey?)
}

/// An answer to a request of the desk.
package enum DeskAnswer: Hashable, Sendable {
    case inbox(DeskInbox)
    case row(DeskRow)
    case conversation(DeskConversation)
    case results(DeskResults)
    /// What a stream has missed.
    case missed(DeskCatchUp)
    /// The action was executed. Contains the id of the message, if there is one.
    case done(messageID: String?)
    case refused(OperatorRefusal)
}

/// The inbox: waiting conversations first, longest first; then all others, newest first.
package struct DeskInbox: Hashable, Sendable {
    package var rows: [DeskRow]
    /// The number of all conversations.
    package var total: Int
    package var colleagues: [DeskColleague]
    /// The position after which a stream continues.
    package var position: DeskPosition
}

/// One conversation in the inbox.
package struct DeskRow: Hashable, Sendable {
    /// The state of a conversation. The raw value is used in pages.
    package enum State: String, Hashable, Sendable, CaseIterable {
        /// The client has written last, and waits for an answer.
        case waiting
        case open
        case closed
    }

    package var clientID: String
    package var name: String?
    package var state: State
    /// When the oldest unanswered message was sent, in milliseconds since 1970.
    package var waitingSince: Int64?
    /// The number of the client's messages that no operator has read.
    package var unread: Int
    /// When the newest message was sent, in milliseconds since 1970.
    package var lastDate: Int64?
    /// The beginning of the newest message's text.
    package var preview: String?
    package var assignee: DeskOperator?
    package var isBlocked: Bool
}

/// A page of a conversation.
package struct DeskConversation: Hashable, Sendable {
    package var row: DeskRow
    /// The client's data as the app sent it.
    package var data: JSONObject?
    package var locale: String?
    /// The text that the client is typing.
    package var draft: String?
    /// The number of connected devices of the client.
    package var sockets: Int
    /// The messages, oldest first.
    package var messages: [ServerMessage]
    /// The notes from the time of the messages, oldest first.
    package var notes: [DeskNote]
    package var hasOlder: Bool
    package var hasNewer: Bool
    package var colleagues: [DeskColleague]
    package var position: DeskPosition
}

/// Search results.
package struct DeskResults: Hashable, Sendable {
    package var hits: [DeskHit]
    /// Whether the search ended at a limit, so that there may be more results.
    package var isPartial: Bool
}

/// A search result.
package enum DeskHit: Hashable, Sendable {
    case client(DeskRow)
    case message(ServerMessage, name: String?)
    case note(DeskNote, name: String?)
}

/// What a stream has missed.
package struct DeskCatchUp: Hashable, Sendable {
    /// The missed changes, oldest first; `nil` if some are no longer known, and the page must be reloaded.
    package var events: [DeskEvent]?
    package var colleagues: [DeskColleague]
    package var position: DeskPosition
}

/// An event for every open desk.
package enum DeskEvent: Hashable, Sendable {
    /// A numbered change. Desks that were away receive it when they resume.
    case changed(DeskPosition, DeskChange)
    /// A client is typing.
    case types(clientID: String, draft: String?)
    /// An operator is typing.
    case operatorTypes(clientID: String, DeskOperator)
    /// Operators have come, gone, or opened another conversation.
    case present([DeskColleague])
}

/// A change of what desks show.
package enum DeskChange: Hashable, Sendable {
    /// A message was added or has changed.
    case message(ServerMessage)
    /// A client's messages up to this sequence number were removed.
    case removed(clientID: String, through: Int64)
    case note(DeskNote)
    case conversation(DeskRow)
}
