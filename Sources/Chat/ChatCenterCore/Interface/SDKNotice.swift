package import ChatWire

/// A notification for the host application.
package enum SDKNotice: Hashable, Sendable {
    /// The configuration and the history are loaded, or one of them could not be loaded.
    case authorized(Result<UserIdentity, RequestFailure>)
    case unread(Int)
    case connection(ChatConnectionState)
    case networkProblem(NetworkProblem)
    /// The state of one of the client's own messages changed.
    case message(MessageID, ChatMessageState)
    /// New messages from the company, in order.
    case received([MessageID])
    /// Missed messages were loaded. The value is the number of messages from the company.
    case gapFilled(Int)
    /// The server no longer recognizes the end of this device's history. The history was loaded again, starting from
    /// the newest message, and older messages may be missing.
    case historyReset
    case configuration(EffectiveConfiguration)
    /// The server accepts no token of the user. The application must authorize the user again.
    case reauthorizationNeeded(ServerRefusal?)

    // Answers to requests.
    case loggedOut(Ticket, LogoutOutcome)
    case unreadAnswer(Ticket, Result<Int, RequestFailure>)
    case searchAnswer(Ticket, Result<SearchAnswer, RequestFailure>)
    case transferProgress(TransferID, Int64, of: Int64?)
    case transferred(TransferID, Result<RemoteFile, TransportFailure>)
}
