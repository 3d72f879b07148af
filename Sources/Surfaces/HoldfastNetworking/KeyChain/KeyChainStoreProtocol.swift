/// Keeps secrets by name.
public protocol KeyChainStoreProtocol: Sendable {
    /// Keeps a value, in place of one that is there already.
    func save(_ value: String, forKey key: String) async throws
    /// Keeps a value unless there is one already. The value that is there stays.
    ///
    /// The stores of this package do that in one step, so that of two callers at once one value is kept;
    /// `SecretServiceKeyChainStore` for the callers of one object alone. The default for other conformers looks first and
    /// saves then, which is not one step.
    func saveIfAbsent(_ value: String, forKey key: String) async throws
    /// The value, if there is one.
    func value(forKey key: String) async throws -> String?
    /// Forgets a value. One that is not there is no error.
    func deleteValue(forKey key: String) async throws
}

extension KeyChainStoreProtocol {
    public func saveIfAbsent(_ value: String, forKey key: String) async throws {
        if try await self.value(forKey: key) == nil { try await save(value, forKey: key) }
    }
}

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

/// GentleNetworking's name for a store in memory.
public typealias MockKeyChainStore = InMemoryKeyChainStore
