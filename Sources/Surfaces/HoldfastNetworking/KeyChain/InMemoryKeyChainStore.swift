/// Keeps secrets in memory, for as long as the process lives.
public actor InMemoryKeyChainStore: KeyChainStoreProtocol {
    private var values: [String: String] = [:]

    /// Makes an empty store.
    public init() {}

    public func save(_ value: String, forKey key: String) {
        values[key] = value
    }

    /// Keeps a value unless there is one already, in one step: the method does not suspend. It is `async` so that it takes
    /// the place of the protocol's default.
    public func saveIfAbsent(_ value: String, forKey key: String) async {
        values[key] = values[key] ?? value
    }

    public func value(forKey key: String) -> String? {
        values[key]
    }

    public func deleteValue(forKey key: String) {
        values[key] = nil
    }
}
