/// An effect that the core requests from its driver. The driver executes the effects of a turn in order. The process
/// can crash between any two.
package enum ChatEffect: Hashable, Sendable {
    /// Commits changes to the store. If the commit fails, the driver skips the rest of the turn and sends
    /// `ChatEvent.commitFailed` as the next event.
    case commit(StoreTransaction)
    /// Answers `send`: the id of the queued message, or the reason why it was refused.
    case acknowledge(Ticket, Result<MessageID, SendRefusal>)
    case network(NetworkCommand)
    /// Publishes the new state of the screen. Only the newest state matters.
    case publish(ChatScreenState)
    case notify(SDKNotice)
    case log(ChatLogRecord)
    /// Requests a token. The driver answers with `ChatEvent.token`.
    case askForToken(TokenAttempt)
    /// Reads messages from the store. The driver answers with `ChatEvent.page`.
    case loadPage(HistoryQuery)
    /// Searches the store. The driver answers with `ChatEvent.found`.
    case searchStore(SearchQuery)
    /// Asks the system to keep the process running for this many milliseconds, because the application is in the
    /// background and acknowledgements are pending. The driver wakes the core at `nextWake`. `releaseProcess` follows
    /// within that time.
    case holdProcess(milliseconds: Int64)
    /// Ends the time that `holdProcess` requested.
    case releaseProcess
    /// Deletes the driver's copy of a file that is no longer needed.
    case discardFile(LocalFile)
}
