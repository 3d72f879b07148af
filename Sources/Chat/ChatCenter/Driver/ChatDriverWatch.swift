package import ChatCenterCore

/// Follows what a driver does, and decides whether it gets to do it. A simulation lets a disk be full and a process end
/// between any two steps. The app of a user has none.
package protocol ChatDriverWatch: Sendable {
    /// The core has handled an event. Nothing of the effects is carried out yet.
    func handled(_ event: ChatEvent, _ effects: [ChatEffect], _ core: ChatCore)
    /// A transaction is about to be committed. Returns whether the store gets it; throws to let the commit fail.
    func willCommit(_ transaction: StoreTransaction) throws(StoreFailure) -> Bool
    /// A transaction is in the store; one of a group is on the disk when the group ends.
    func didCommit(_ transaction: StoreTransaction)
    /// The commits from here on are one.
    func groupBegins()
    /// The commits of a group are about to become one on the disk. Throws to take all of them back.
    func willCommitGroup() throws(StoreFailure)
    /// A group is on the disk, or was taken back: then its events are handled again, one by one.
    func groupEnded(isKept: Bool)
    /// Returns how often an effect is carried out: once, or never if the process is gone.
    func repetitions(of effect: ChatEffect) -> Int
}
