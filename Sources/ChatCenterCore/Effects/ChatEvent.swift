package import ChatWire

/// Everything that can happen to a chat.
package enum ChatEvent: Hashable, Sendable {
    /// The time of `nextWake` has come.
    case wake

    // MARK: The user

    /// `restored` is what the store of this user holds.
    case authorize(UserIdentity, WireCredentials, restored: PersistedChat)
    case deauthorize
    case logout(Ticket)
    /// The answer to `askForToken`; `nil` when there is none.
    case token(TokenAttempt, WireCredentials?)
    /// The host application replaced the user's data map.
    case userData(JSONObject?)
    case pushToken(String?)
    /// A store that belongs to nobody any more holds this: the server was not told of a logout before the last process
    /// ended. Given once, when a driver starts.
    case pendingFarewell(Farewell)

    // MARK: The application

    case enteredBackground
    case enteredForeground

    // MARK: The screen

    case getChat(ScreenID)
    case screenAppeared(ScreenID)
    case screenDisappeared(ScreenID)
    /// The text for the input field of the next screen; empty clears it.
    case prefill(String)
    /// The user changed the text of the input field.
    case typed(String)
    case loadOlder
    /// The user wants the configuration and the history to be tried again.
    case reload

    // MARK: Messages

    /// `MessageID` is made by the caller, so that it is known before the answer.
    case send(Ticket, MessageID, OutgoingMessage)
    /// Puts a failed message at the end of the queue.
    case resend(MessageID)
    /// Forgets a message that is failed or still waits.
    case discard(MessageID)
    case download(TransferID, reference: String)
    case cancelTransfer(TransferID)

    // MARK: Questions

    case unreadCount(Ticket)
    case search(Ticket, query: String, page: Int64)

    // MARK: Answers

    case page(HistoryQuery, Result<HistoryPage, StoreFailure>)
    /// A commit failed; the effects after it in the same turn were not carried out.
    case commitFailed(StoreTransaction, StoreFailure)
    case network(NetworkEvent)
}
