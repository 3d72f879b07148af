/// Keeps secrets by name.
public protocol KeyChainStoreProtocol: Sendable {
    /// Keeps a value, in place of one that is there already.
    func save(_ value: String, forKey key: String) async throws
    /// The value, if there is one.
    func value(forKey key: String) async throws -> String?
    /// Forgets a value. One that is not there is no error.
    func deleteValue(forKey key: String) async throws
}
