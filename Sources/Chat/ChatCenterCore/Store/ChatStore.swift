/// The persistent store of one user's chat. It is synchronous and is used only inside a driver's turn.
package protocol ChatStore: AnyObject {
    /// Returns what is stored for the user.
    ///
    /// - Parameter window: The number of newest messages to return. Queued messages are returned in addition.
    func restore(window: Int) throws(StoreFailure) -> PersistedChat
    /// Applies all changes or none. When the call returns, the changes survive a crash.
    func commit(_ transaction: StoreTransaction) throws(StoreFailure)
    /// Returns the messages that have one of these names, as their own id or as the server's id, in any order.
    func messages(named names: [String]) throws(StoreFailure) -> [StoredMessage]
    /// Returns a page of messages in order.
    func page(_ query: HistoryQuery) throws(StoreFailure) -> HistoryPage
    /// Returns the matches, newest first.
    func search(_ query: SearchQuery) throws(StoreFailure) -> [SearchHit]
    /// Deletes all data of the user.
    func erase() throws(StoreFailure)
}
