package import ChatCenterCore

/// Stores that live as long as the world.
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
