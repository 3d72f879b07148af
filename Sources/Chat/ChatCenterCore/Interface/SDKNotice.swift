package import ChatWire

/// What the host application is told.
package enum SDKNotice: Hashable, Sendable {
    /// The configuration and the history are there, or why one of them is not.
    case authorized(Result<UserIdentity, RequestFailure>)
    case unread(Int)
    case connection(ChatConnectionState)
    case networkProblem(NetworkProblem)
    /// An own message changed its state.
    case message(MessageID, ChatMessageState)
    /// New messages of the other side, in order.
    case received([MessageID])
    /// What was missed is here: so many messages of the other side.
    case gapFilled(Int)
    /// The server does not know any more where this device's history ends: it was fetched anew from the newest message
    /// back, and what lies before may be incomplete.
    case historyReset
    case configuration(EffectiveConfiguration)
    /// No token, or none that the server accepts: authorise again.
    case reauthorizationNeeded(ServerRefusal?)

    // Answers to questions.
    case loggedOut(Ticket, LogoutOutcome)
    case unreadAnswer(Ticket, Result<Int, RequestFailure>)
    case searchAnswer(Ticket, Result<SearchAnswer, RequestFailure>)
    case transferProgress(TransferID, Int64, of: Int64?)
    case transferred(TransferID, Result<RemoteFile, TransportFailure>)
}
