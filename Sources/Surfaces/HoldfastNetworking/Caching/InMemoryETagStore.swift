/// Keeps responses in memory, and lets those go first that were not used for the longest time.
public actor InMemoryETagStore: ETagStoreProtocol {
    private var entries: RecentlyUsed<ETagCacheEntry>

    /// Makes an empty store.
    ///
    /// - Parameters:
    ///   - maxEntries: How many responses are kept. None if it is not positive.
    ///   - maxBytes: How many bytes their bodies may have together; 16 MiB by default. A larger one is not kept.
    public init(maxEntries: Int = 100, maxBytes: Int = 16 * 1_024 * 1_024) {
        entries = RecentlyUsed(maximumCount: maxEntries, maximumCost: maxBytes)
    }

    public func cachedResponse(for key: String) -> ETagCacheEntry? {
        entries.value(for: key)
    }

    public func store(_ entry: ETagCacheEntry, for key: String) {
        entries.insert(entry, cost: entry.data.count, for: key)
    }

    public func remove(for key: String) {
        entries.remove(key)
    }

    public func removeAll() {
        entries.removeAll()
    }
}
