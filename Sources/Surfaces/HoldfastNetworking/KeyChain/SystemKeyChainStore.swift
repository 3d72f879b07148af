import Crypto
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

/// The default location of a service's credentials.
enum KeyChainLocation {
    /// Returns `$XDG_STATE_HOME/SERVICE/NAME`, or the same path below `~/.local/state`. Returns `nil` if neither base
    /// path is absolute; the XDG Base Directory Specification ignores relative paths.
    static func folder(
        _ name: String = "key-chain", of service: String, _ environment: [String: String]
    ) -> String? {
        func absolute(_ variable: String) -> String? { environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let state = absolute("XDG_STATE_HOME") ?? absolute("HOME").map { $0 + "/.local/state" }
        return state.map { $0 + "/" + component(service) + "/" + name }
    }

    /// Returns the identifier of the running program's bundle or, without one, the name of its executable.
    static func defaultService(bundleIdentifier: String?, executable: String?, process: String) -> String {
        [bundleIdentifier, executable].compactMap(\.self).first { !$0.isEmpty } ?? process
    }

    /// Returns the service as one path component. Special characters are percent-encoded, so services never share a
    /// folder and no name refers to a path outside the base folder.
    static func component(_ service: String) -> String {
        var text = ""
        for byte in service.utf8 {
            let scalar = Unicode.Scalar(byte)
            let isPlain =
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
                case ".": !text.isEmpty
                default: false
                }
            text += isPlain ? String(Character(scalar)) : percent(byte)
        }
        if text.isEmpty { return "%" }
        guard text.utf8.count > 200 else { return text }
        // File systems limit names to 255 bytes, so longer names are hashed. No name above starts with "%h".
        return "%h" + SHA256.hash(data: Data(service.utf8)).map(percent).joined().filter { $0 != "%" }
    }

    private static func percent(_ byte: UInt8) -> String {
        "%" + String(byte >> 4, radix: 16, uppercase: true) + String(byte & 15, radix: 16, uppercase: true)
    }
}
