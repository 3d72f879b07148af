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
    /// The application is in the background and acknowledgements are under way: ask the system to let the process run
    /// for so many milliseconds, and wake the core as `nextWake` says. `releaseProcess` follows within that time.
    case holdProcess(milliseconds: Int64)
    /// What the process was held for is over.
    case releaseProcess
    /// The driver's copy of this file is not needed any more.
    case discardFile(LocalFile)
}
