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
