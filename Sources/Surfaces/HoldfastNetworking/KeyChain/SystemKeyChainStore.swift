import Foundation

/// A store that keeps secrets where the platform keeps them.
///
/// On Apple platforms, that is the key chain: generic passwords of the service, accessible after the first unlock.
/// Elsewhere it is a ``FileKeyChainStore`` with the key source ``KeyChainKey/automatic``. To choose other locations for
/// the files or the key, make a ``FileKeyChainStore`` instead.
///
/// Values persist across launches. Initialization accesses nothing. The methods can be called from any thread and do
/// not block it.
public final class SystemKeyChainStore: KeyChainStoreProtocol {
    #if canImport(Security)
    private let store: AppleKeyChain
    #else
    private let store: FileKeyChainStore
    #endif

    /// Makes a store without accessing it.
    ///
    /// - Parameter service: The service that owns the secrets. By default it is the bundle identifier or, without one,
    ///   as on Linux, the name of the executable.
    public init(service: String = SystemKeyChainStore.defaultService) {
        #if canImport(Security)
        store = AppleKeyChain(service: service)
        #else
        store = FileKeyChainStore(service: service)
        #endif
    }

    /// The bundle identifier, or the name of the executable.
    public static var defaultService: String {
        KeyChainLocation.defaultService(
            bundleIdentifier: Bundle.main.bundleIdentifier, executable: Bundle.main.executableURL?.lastPathComponent,
            process: ProcessInfo.processInfo.processName)
    }

    /// Stores a value and replaces an existing one. Throws ``KeyChainStoreError``; the old value then remains.
    public func save(_ value: String, forKey key: String) async throws {
        try await store.save(value, forKey: key)
    }

    /// Stores a value unless one exists, in one step. Throws ``KeyChainStoreError``.
    public func saveIfAbsent(_ value: String, forKey key: String) async throws {
        try await store.saveIfAbsent(value, forKey: key)
    }

    /// Returns a value, or `nil` if it does not exist. Throws ``KeyChainStoreError``.
    public func value(forKey key: String) async throws -> String? {
        try await store.value(forKey: key)
    }

    /// Deletes a value. Throws ``KeyChainStoreError``.
    public func deleteValue(forKey key: String) async throws {
        try await store.deleteValue(forKey: key)
    }
}
