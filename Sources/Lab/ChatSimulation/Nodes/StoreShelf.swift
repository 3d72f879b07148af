package import ChatCenterCore
import ChatCenterCoreTestSupport

/// The stores of a world, one for each device and user. A store keeps its contents over restarts of the process.
package protocol StoreShelf: AnyObject {
    func store(device: Int, user: String) -> any ChatStore
    /// Closes what the ended process had open.
    func processEnded(device: Int)
}

/// Stores in memory that exist as long as the world.
package final class MemoryShelf: StoreShelf {
    private var stores: [String: MemoryStore] = [:]

    package init() {}

    package func store(device: Int, user: String) -> any ChatStore {
        let key = "\(device) \(user)"
        if let store = stores[key] { return store }
        let store = MemoryStore()
        stores[key] = store
        return store
    }

    package func processEnded(device: Int) {}
}
