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
    /// The answer to `fetchMissed`: the number of new messages from the company.
    case fetched(Ticket, Result<Int, RequestFailure>)
    case transferProgress(TransferID, Int64, of: Int64?)
    case transferred(TransferID, Result<RemoteFile, TransportFailure>)
}

/// The call or the socket that failed, reported to the host application. ``TransportFailure`` says how it failed.
///
/// - Remedy: None is needed: the SDK retries what can pass. Follow the diagnosis of `ChatNetworkError`.
public enum NetworkProblem: Error, Hashable, Sendable {
    /// The kind of call that failed.
    public enum Call: String, Hashable, Sendable {
        /// The call that loads the configuration.
        case configuration
        /// The call that loads a page of the history.
        case history
        /// The call that loads the unread count.
        case unread
        /// A search on the server.
        case search
        /// A file upload.
        case upload
        /// A file download.
        case download
    }

    /// A call failed.
    case call(Call, TransportFailure)
    /// The socket was lost or could not be opened.
    case socket(DisconnectCause)
}

/// The reason why a request of the host application failed: the state of the chat, or a ``TransportFailure``.
///
/// - Remedy: Authorize a user first, or offer the user another attempt.
public enum RequestFailure: Error, Hashable, Sendable {
    /// No user is authorized.
    case notAuthorized
    /// The user's identifier is empty.
    case emptyIdentifier
    /// The configuration disables this request.
    case disabled
    /// The call failed, or the server refused it.
    case transport(TransportFailure)
    /// The user was logged out or replaced before the answer arrived.
    case superseded
}

/// The outcome of a logout. In every case, the user's data is deleted from this device.
public enum LogoutOutcome: String, Hashable, Sendable {
    /// The server confirmed the logout.
    case server
    /// The server has not confirmed the logout yet. The SDK retries later.
    case localOnlyPending
    /// No user was authorized.
    case notAuthorized
}
