package import ChatCenterCore

/// Where the stores of a world come from: one for each device and user, the same one each time, as a disk has it.
package protocol StoreShelf: AnyObject {
    func store(device: Int, user: String) -> any ChatStore
    /// A process died: what it had open is let go.
    func processEnded(device: Int)
}
