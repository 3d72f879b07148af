import Foundation

/// Keeps secrets where the system keeps them.
///
/// On Apple platforms that is the key chain: generic passwords of the service, accessible after the first unlock, which
/// persist across launches. Elsewhere it is a ``FileKeyChainStore``, with the key that ``KeyChainKey/automatic`` finds; make
/// one of those yourself to say where the files and the key are.
///
/// Made without touching anything. Its methods may be called from any thread and do not block it.
public final class SystemKeyChainStore: KeyChainStoreProtocol {
    #if canImport(Security)
    private let store: AppleKeyChain
    #else
    private let store: FileKeyChainStore
    #endif

    /// Describes a store.
    ///
    /// - Parameter service: Whose secrets these are: by default the bundle's identifier or, for a program without one, as
    ///   all are on Linux, the name of its executable.
    public init(service: String = SystemKeyChainStore.defaultService) {
        #if canImport(Security)
        store = AppleKeyChain(service: service)
        #else
        store = FileKeyChainStore(service: service)
        #endif
    }

    /// The bundle's identifier, or the executable's name.
    public static var defaultService: String {
        KeyChainLocation.defaultService(
            bundleIdentifier: Bundle.main.bundleIdentifier, executable: Bundle.main.executableURL?.lastPathComponent,
            process: ProcessInfo.processInfo.processName)
    }

    /// Throws ``KeyChainStoreError``; the old value is still there then.
    public func save(_ value: String, forKey key: String) async throws {
        try await store.save(value, forKey: key)
    }

    /// Keeps a value unless there is one already, in one step. Throws ``KeyChainStoreError``.
    public func saveIfAbsent(_ value: String, forKey key: String) async throws {
        try await store.saveIfAbsent(value, forKey: key)
    }

    /// Throws ``KeyChainStoreError``.
    public func value(forKey key: String) async throws -> String? {
        try await store.value(forKey: key)
    }

    /// Throws ``KeyChainStoreError``.
    public func deleteValue(forKey key: String) async throws {
        try await store.deleteValue(forKey: key)
    }
}
