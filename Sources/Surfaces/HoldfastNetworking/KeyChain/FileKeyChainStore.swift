import HoldfastBase
import Dispatch
import Foundation
import HoldfastSystem
import HoldfastTrust
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
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw KeyChainStoreError.stringDecodingFailed
        }
        return text
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

/// An error of the file-based credential store. It names files and services, but never contains a value or a key.
public struct KeyChainFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stable name of a kind of failure. New codes may be added, so handle unknown ones.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name of the code.
        public let rawValue: String
        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name of the code.
        public var description: String { rawValue }

        /// Users other than the owner can read or write the file or its folder, or can change a parent folder. The
        /// required modes are 0600 and 0700.
        public static let permissionsTooOpen = Code(rawValue: "permissionsTooOpen")
        /// The file or its folder belongs to another user, or a parent folder belongs to neither the user nor root.
        public static let foreignOwner = Code(rawValue: "foreignOwner")
        /// The file is a symbolic link, a device or a pipe, or the folder is not a directory.
        public static let unsuitableFile = Code(rawValue: "unsuitableFile")
        /// The system reported an error, such as no space, no permission or a read-only disk. The old value remains.
        public static let storage = Code(rawValue: "storage")
        /// Neither `XDG_STATE_HOME` nor `HOME` is an absolute path for the default folder.
        public static let noFolder = Code(rawValue: "noFolder")
        /// A value exists, but there is no key to open it.
        public static let keyMissing = Code(rawValue: "keyMissing")
        /// The key is not 32 bytes in base64.
        public static let keyUnusable = Code(rawValue: "keyUnusable")
        /// The value was sealed with another key.
        public static let wrongKey = Code(rawValue: "wrongKey")
        /// The value was modified, truncated or moved from another name.
        public static let damaged = Code(rawValue: "damaged")
        /// The value was written by a later version of Holdfast.
        public static let unknownVersion = Code(rawValue: "unknownVersion")
        /// The value is larger than ``FileKeyChainStore/maximumValueBytes``.
        public static let valueTooLarge = Code(rawValue: "valueTooLarge")
    }

    /// The kind of failure.
    public var code: Code
    /// A human-readable description in one sentence.
    public var reason: String

    /// Makes an error from its code and its description.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The code and the reason.
    public var description: String { "\(code): \(reason)" }
}

extension KeyChainFileError {
    /// Makes an error from a failure of the file store.
    init(_ failure: FileStore.Failure, at path: String) {
        let code: Code =
            switch failure.kind {
            case .tooOpen: .permissionsTooOpen
            case .foreignOwner: .foreignOwner
            case .unsuitable: .unsuitableFile
            case .tooLarge: .damaged
            case .system: .storage
            }
        self.init(code, "The credentials in \(Printable.text(path)) cannot be used: \(failure.reason).")
    }
}
