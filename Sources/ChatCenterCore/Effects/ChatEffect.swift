/// What a turn of the core wants done, in order. A crash may fall between any two.
package enum ChatEffect: Hashable, Sendable {
    /// When this fails, the rest of the turn is not carried out and `ChatEvent.commitFailed` comes next.
    case commit(StoreTransaction)
    /// The answer to `send`: the message is kept, or why not.
    case acknowledge(Ticket, Result<MessageID, SendRefusal>)
    case network(NetworkCommand)
    /// The screen's new state; the newest one alone counts.
    case publish(ChatScreenState)
    case notify(SDKNotice)
    case log(ChatLogRecord)
    /// Answer with `ChatEvent.token`.
    case askForToken(TokenAttempt)
    /// Read from the store; answer with `ChatEvent.page`.
    case loadPage(HistoryQuery)
    /// Search the store; answer with `ChatEvent.found`.
    case searchStore(SearchQuery)
    /// The driver's copy of this file is not needed any more.
    case discardFile(LocalFile)
}
