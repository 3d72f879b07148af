/// A store for secrets, identified by name.
public protocol KeyChainStoreProtocol: Sendable {
    /// Stores a value and replaces an existing one.
    func save(_ value: String, forKey key: String) async throws
    /// Stores a value unless one exists. An existing value remains.
    ///
    /// The stores of this package do this in one step, so only one of two concurrent callers stores its value.
    /// `SecretServiceKeyChainStore` guarantees it only for callers of the same object. The default implementation first
    /// reads and then saves, which is not one step.
    func saveIfAbsent(_ value: String, forKey key: String) async throws
    /// Returns a value, or `nil` if it does not exist.
    func value(forKey key: String) async throws -> String?
    /// Deletes a value. Ignores a missing value.
    func deleteValue(forKey key: String) async throws
}

extension KeyChainStoreProtocol {
    /// Stores a value unless one exists. Reads first and then saves, which is not one step.
    public func saveIfAbsent(_ value: String, forKey key: String) async throws {
        if try await self.value(forKey: key) == nil { try await save(value, forKey: key) }
    }
}

/// A store that keeps secrets in memory while the process runs.
public actor InMemoryKeyChainStore: KeyChainStoreProtocol {
    private var values: [String: String] = [:]

    /// Makes an empty store.
    public init() {}

    /// Stores a value and replaces an existing one.
    public func save(_ value: String, forKey key: String) {
        values[key] = value
    }

    /// Stores a value unless one exists, in one step, because the method does not suspend. It is `async` so that it
    /// replaces the protocol's default.
    public func saveIfAbsent(_ value: String, forKey key: String) async {
        values[key] = values[key] ?? value
    }

    /// Returns a value, or `nil` if it does not exist.
    public func value(forKey key: String) -> String? {
        values[key]
    }

    /// Deletes a value. Ignores a missing value.
    public func deleteValue(forKey key: String) {
        values[key] = nil
    }
}

/// GentleNetworking's name for the store in memory.
public typealias MockKeyChainStore = InMemoryKeyChainStore
