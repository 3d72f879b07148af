package import ChatWire

/// A request of the operators' interface.
package enum OperatorRequest: Hashable, Sendable {
    /// Requests the server's overview.
    case overview
    /// Requests the clients in the order of their first appearance, from an offset.
    case clients(offset: Int, count: Int)
    case client(String)
    /// Requests a client's messages, including those outside the history, such as survey answers.
    case messages(clientID: String, HistoryRequest.Bound, count: Int)
    /// Executes an action, for this client if the action names none.
    case perform(ScriptAction, clientID: String?)
    /// Loads a script.
    case load(ServerScript)
}

/// An answer of the operators' interface.
package enum OperatorAnswer: Hashable, Sendable {
    case overview(ServerOverview)
    case clients([ClientSummary], total: Int)
    case client(ClientSummary)
    /// Messages, oldest first.
    case messages([ServerMessage])
    /// The action was executed. Contains the resulting message's id, if there is exactly one.
    case done(messageID: String?)
    case refused(OperatorRefusal)

    package var refusal: OperatorRefusal? {
        if case .refused(let refusal) = self { refusal } else { nil }
    }
}

/// The reason why an operator's action was refused.
package struct OperatorRefusal: Error, Hashable, Sendable {
    package enum Code: String, Hashable, Sendable, CaseIterable {
        case unknownClient, unknownMessage, unknownIdentity
        /// The text exceeds the limit.
        case tooLong
        /// The number of attachments, quick replies, faults or steps exceeds the limit.
        case tooMany
        /// The message has neither text nor files, or uses another message's uuid.
        case unusable
        /// The action would change nothing; for example, no operator is there to leave.
        case nothingToDo
        /// The conversation is assigned to another operator.
        case assigned
        /// The desk has no free seat.
        case full
    }

    package var code: Code
    /// A description in one sentence.
    package var reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}

/// The server's state for operators.
package struct ServerOverview: Hashable, Sendable {
    package var clients: Int
    package var connections: Int
    /// The number of planned faults that have not happened yet.
    package var faults: Int
    /// The number of script steps that can still happen.
    package var steps: Int
    package var network: NetworkConditions
    package var identities: [String]
    package var configuration: ConfigurationAnswer
}

/// A client's summary for operators.
package struct ClientSummary: Hashable, Sendable {
    package var record: ClientRecord
    /// The number of sockets with a complete handshake.
    package var sockets: Int
    /// The number of devices.
    package var devices: Int
    /// The text that the client is typing.
    package var draft: String?
    /// The number of messages in the history.
    package var messages: Int
    /// The number of operators' messages that the client has not read.
    package var unread: Int
    /// The number of the client's messages that no operator has read.
    package var unanswered: Int
    /// Milliseconds since 1970.
    package var lastDate: Int64?
}
