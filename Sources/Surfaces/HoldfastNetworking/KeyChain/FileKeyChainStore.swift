import Dispatch
import Foundation
public import Logging

/// A store that keeps secrets in sealed files that only their owner can read. ``SystemKeyChainStore`` uses it on
/// platforms without a system key chain.
///
/// Each value is one file with mode 0600 in a folder with mode 0700. It is sealed with AES-256-GCM to its service, its
/// name and the format version. The store writes a new file under a lock, flushes it and renames it. After a crash or a
/// power loss, either the old or the new value exists, and processes do not interfere with each other.
///
/// The store throws ``KeyChainFileError`` in these cases:
///
/// - A file or folder belongs to another user or is accessible to others.
/// - A parent folder belongs to a user other than root and the owner, or others may change it, because they could
///   replace the folder.
/// - The file is a symbolic link. Links are never followed.
///
/// The protection depends on the location of the key; see ``KeyChainKey``. The store does not detect a rollback: a
/// process of the same user can restore an older sealed file of the same name.
///
/// The store reads and writes nothing before the first call. It works on its own serial queue and can be used from any
/// thread.
public final class FileKeyChainStore: KeyChainStoreProtocol {
    /// The maximum size of a value: 64 KiB, several times the longest token that HTTP servers accept in a header field.
    ///
    /// - Error: `KeyChainFileError.Code.valueTooLarge`
    public static let maximumValueBytes = 64 * 1_024

    private let folder: KeyChainFolder?
    private let queue = DispatchQueue(label: "holdfast.key-chain")

    /// Makes a store without accessing its folder.
    ///
    /// - Parameters:
    ///   - service: The service that owns the secrets. Services cannot read or exchange each other's secrets.
    ///   - folder: The folder of the files. `nil` selects `$XDG_STATE_HOME/SERVICE/key-chain`, or the same path below
    ///     `~/.local/state`. Missing folders are created with mode 0700.
    ///   - key: The source of the key.
    ///   - logger: Logs a warning if the key is in the environment.
    public convenience init(
        service: String, folder: String? = nil, key: KeyChainKey = .automatic,
        logger: Logger = Logger(label: "holdfast.key-chain")
    ) {
        self.init(
            service: service, folder: folder, key: key, environment: ProcessInfo.processInfo.environment,
            logger: logger)
    }

    init(service: String, folder: String?, key: KeyChainKey, environment: [String: String], logger: Logger) {
        let path = folder ?? KeyChainLocation.folder(of: service, environment)
        self.folder = path.map {
            KeyChainFolder(
                service: service, path: $0, key: key, environment: environment,
                maximumValueBytes: Self.maximumValueBytes)
        }
        if let variable = self.folder?.keyVariable {
            logger.warning(
                "The key of the credential store is in the environment, which all child processes inherit",
                metadata: ["variable": "\(variable)", "service": "\(service)"])
        }
    }

    /// Stores a value. Throws ``KeyChainStoreError/file(_:)``; the old value then remains.
    public func save(_ value: String, forKey key: String) async throws {
        try await perform { folder throws(KeyChainFileError) in try folder.save(Array(value.utf8), forKey: key) }
    }

    /// Stores a value unless one exists, in one step across all processes. Throws ``KeyChainStoreError/file(_:)``. An
    /// existing value that cannot be read remains and causes an error.
    public func saveIfAbsent(_ value: String, forKey key: String) async throws {
        try await perform { folder throws(KeyChainFileError) in
            try folder.save(Array(value.utf8), forKey: key, replaces: false)
        }
    }

    /// Returns a value, or `nil` if it does not exist. Throws ``KeyChainStoreError/file(_:)`` or
    /// ``KeyChainStoreError/stringDecodingFailed``.
    public func value(forKey key: String) async throws -> String? {
        let bytes = try await perform { folder throws(KeyChainFileError) in try folder.value(forKey: key) }
        guard let bytes else { return nil }
        return try KeyChainStoreError.text(bytes)
    }

    /// Deletes a value. Throws ``KeyChainStoreError/file(_:)``.
    public func deleteValue(forKey key: String) async throws {
        try await perform { folder throws(KeyChainFileError) in try folder.deleteValue(forKey: key) }
    }

    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable (KeyChainFolder) throws(KeyChainFileError) -> Value
    ) async throws -> Value {
        guard let folder else {
            throw KeyChainStoreError.file(
                KeyChainFileError(.noFolder, "Neither XDG_STATE_HOME nor HOME is an absolute path."))
        }
        return try await withCheckedThrowingContinuation { continuation in
            queue.async {
                do throws(KeyChainFileError) {
                    continuation.resume(returning: try work(folder))
                } catch {
                    continuation.resume(throwing: KeyChainStoreError.file(error))
                }
            }
        }
    }
}

/// The source of the key that seals the credentials of a ``FileKeyChainStore``. The key is 32 random bytes in base64,
/// as made by `head -c 32 /dev/urandom | base64`.
public struct KeyChainKey: Hashable, Sendable {
    enum Source: Hashable, Sendable {
        case automatic
        case file(String)
        case environment(String)
    }

    let source: Source

    /// Uses the first of these sources that is set:
    ///
    /// 1. The environment variable ``keyVariable``.
    /// 2. The file that the variable ``fileVariable`` names.
    /// 3. A file next to the credentials, which is created with the first credential.
    ///
    /// A key next to the data protects only against access to the data alone, such as a backup without the key. A
    /// process that can read both can read the credentials.
    public static let automatic = KeyChainKey(source: .automatic)

    /// Uses an existing file. It must belong to the user, must not be accessible to others and must not be a symbolic
    /// link.
    public static func file(_ path: String) -> KeyChainKey { KeyChainKey(source: .file(path)) }

    /// Uses an environment variable and logs a warning. Child processes inherit the environment, and it may appear in
    /// crash reports and in the configuration of the launching program.
    public static func environment(_ variable: String) -> KeyChainKey { KeyChainKey(source: .environment(variable)) }

    /// The variable that contains the key with ``automatic``.
    public static let keyVariable = "HOLDFAST_KEY_CHAIN_KEY"
    /// The variable that names the key file with ``automatic``.
    public static let fileVariable = "HOLDFAST_KEY_CHAIN_KEY_FILE"
}
