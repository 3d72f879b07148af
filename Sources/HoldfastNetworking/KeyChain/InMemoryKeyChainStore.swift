/// Keeps secrets in memory, for as long as the process lives.
public actor InMemoryKeyChainStore: KeyChainStoreProtocol {
    private var values: [String: String] = [:]

    /// Makes an empty store.
    public init() {}

    public func save(_ value: String, forKey key: String) {
        values[key] = value
    }

    public func value(forKey key: String) -> String? {
        values[key]
    }

    public func deleteValue(forKey key: String) {
        values[key] = nil
    }
}
