/// Where one user's chat survives the process. Synchronous, and used only inside a driver's turn.
package protocol ChatStore: AnyObject {
    /// What is known of the user; `window` is how many of the newest messages are wanted, messages in the queue come
    /// beside them.
    func restore(window: Int) throws(StoreFailure) -> PersistedChat
    /// Makes all changes or none; when it returns they survive a crash.
    func commit(_ transaction: StoreTransaction) throws(StoreFailure)
    /// The messages with one of these names, their own or the server's, in any order.
    func messages(named names: [String]) throws(StoreFailure) -> [StoredMessage]
    func page(_ query: HistoryQuery) throws(StoreFailure) -> HistoryPage
    /// Newest first.
    func search(_ query: SearchQuery) throws(StoreFailure) -> [SearchHit]
    /// Leaves no byte of the user behind.
    func erase() throws(StoreFailure)
}
