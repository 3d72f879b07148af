package import ChatCenterCore

/// Observes each step of a driver and can prevent it. A simulation uses it to make the disk full, or to end the process
/// between any two steps. Apps do not use it.
package protocol ChatDriverWatch: Sendable {
    /// Called after the core has handled an event, before any effect is carried out.
    func handled(_ event: ChatEvent, _ effects: [ChatEffect], _ core: ChatCore)
    /// Called before a transaction is committed. Returns whether to commit it; throws to make the commit fail.
    func willCommit(_ transaction: StoreTransaction) throws(StoreFailure) -> Bool
    /// Called after a transaction was committed. In a group, it is on disk only when the group ends.
    func didCommit(_ transaction: StoreTransaction)
    /// Called when a group begins: the following commits become one.
    func groupBegins()
    /// Called before the commits of a group are written to disk as one. Throws to roll all of them back.
    func willCommitGroup() throws(StoreFailure)
    /// Called when a group is on disk or was rolled back. After a rollback its events are handled again, one by one.
    func groupEnded(isKept: Bool)
    /// Returns how often an effect is carried out: once, or zero times if the process has ended.
    func repetitions(of effect: ChatEffect) -> Int
}
