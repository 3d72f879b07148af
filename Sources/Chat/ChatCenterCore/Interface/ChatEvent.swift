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
    /// What came with that answer for the next registration; told before it.
    case tokenIdentity(TokenAttempt, signature: String?, isEncrypted: Bool)
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
    /// The application was opened from a mass mailing: the next message is bound to it.
    case campaign(Campaign)
    /// The next message answers to this one; `nil` takes that back.
    case quote(MessageID?)
    /// The user chose a rating.
    case rateSurvey(MessageID, question: Int64, rate: Int64)
    /// The user typed a comment.
    case commentSurvey(MessageID, String)
    /// The user is done with a survey.
    case submitSurvey(MessageID)
    /// The user agrees that the dialog ends: the answer to this request.
    case closeThread(MessageID)
    /// The user wants the dialog to go on: the answer to this request.
    case reopenThread(MessageID)
    /// The text of the search field; empty ends the search.
    case searchTyped(String)
    /// The next page of what was found.
    case searchMore
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

    /// What the store knows of items that the event that follows brings, see `namesToRecall`.
    case recalled([StoredMessage])
    case page(HistoryQuery, Result<HistoryPage, StoreFailure>)
    /// The answer to `searchStore`.
    case found(SearchQuery, Result<[SearchHit], StoreFailure>)
    /// A commit failed; the effects after it in the same turn were not carried out.
    case commitFailed(StoreTransaction, StoreFailure)
    case network(NetworkEvent)
}
