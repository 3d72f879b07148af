package import ChatWire

/// An event that the core handles.
package enum ChatEvent: Hashable, Sendable {
    /// The time of `nextWake` has been reached.
    case wake

    // MARK: The user

    /// Authorizes a user. `restored` is the content of this user's store.
    case authorize(UserIdentity, WireCredentials, restored: PersistedChat)
    case deauthorize
    case logout(Ticket)
    /// Answers `askForToken`; `nil` if there is no token.
    case token(TokenAttempt, WireCredentials?)
    /// The signature from the token's answer, for the next registration. The driver sends it before `token`.
    case tokenIdentity(TokenAttempt, signature: String?, isEncrypted: Bool)
    /// The host application replaced the user's data map.
    case userData(JSONObject?)
    case pushToken(String?)
    /// A logout that the server has not confirmed, found in the store of a user who is no longer authorized. The
    /// previous process ended before the server was notified. Sent once, when a driver starts.
    case pendingFarewell(Farewell)

    // MARK: The application

    case enteredBackground
    case enteredForeground

    // MARK: The screen

    case getChat(ScreenID)
    case screenAppeared(ScreenID)
    case screenDisappeared(ScreenID)
    /// Sets the initial text of the input field for the next screen; empty text clears it.
    case prefill(String)
    /// The user changed the text of the input field.
    case typed(String)
    case loadOlder
    /// The user opened the application from a mass mailing. The next message is linked to it.
    case campaign(Campaign)
    /// The next message quotes this one; `nil` removes the quote.
    case quote(MessageID?)
    /// The user chose a rating.
    case rateSurvey(MessageID, question: Int64, rate: Int64)
    /// The user typed a comment.
    case commentSurvey(MessageID, String)
    /// The user finished a survey.
    case submitSurvey(MessageID)
    /// The user agrees to close the dialog, in answer to this request.
    case closeThread(MessageID)
    /// The user wants to continue the dialog, in answer to this request.
    case reopenThread(MessageID)
    /// The text of the search field changed; empty text ends the search.
    case searchTyped(String)
    /// Requests the next page of search results.
    case searchMore
    /// Opens the surroundings of a message, which is usually a search result.
    case showContext(MessageID)
    /// Requests messages before the surroundings.
    case loadOlderContext
    /// Requests messages after the surroundings.
    case loadNewerContext
    /// Closes the surroundings.
    case closeContext
    /// The user asked to load the configuration and the history again.
    case reload

    // MARK: Messages

    /// Sends a message. The caller creates the `MessageID`, so it knows the id before the answer.
    case send(Ticket, MessageID, OutgoingMessage)
    /// Moves a failed message to the end of the queue.
    case resend(MessageID)
    /// Deletes a message that failed or is still queued.
    case discard(MessageID)
    case download(TransferID, reference: String)
    case cancelTransfer(TransferID)

    // MARK: Queries

    /// Loads missed messages, also in the background. `SDKNotice.fetched` is the answer.
    case fetchMissed(Ticket)
    case unreadCount(Ticket)
    case search(Ticket, query: String, page: Int64)

    // MARK: Answers

    /// The stored messages that the next event refers to; see `namesToRecall`.
    case recalled([StoredMessage])
    case page(HistoryQuery, Result<HistoryPage, StoreFailure>)
    /// Answers `searchStore`.
    case found(SearchQuery, Result<[SearchHit], StoreFailure>)
    /// A commit failed. The driver skipped the remaining effects of that turn.
    case commitFailed(StoreTransaction, StoreFailure)
    case network(NetworkEvent)
}
