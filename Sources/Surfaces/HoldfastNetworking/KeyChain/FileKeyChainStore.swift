import HoldfastBase
import Dispatch
import Foundation
import HoldfastSystem
import HoldfastTrust
public import Logging

/// Keeps secrets in sealed files that only their owner may read: what ``SystemKeyChainStore`` does where there is no
/// system key chain.
///
/// Each value is one file of mode 0600 in a folder of mode 0700, sealed with AES-256-GCM to its service, its name and the
/// version of the format. It is written to a new file, flushed and renamed, under a lock: after a crash or a power loss
/// there is the old value or the new one, and processes do not disturb each other. Links are not followed; a file or folder
/// of somebody else's, or open to others, is refused with ``KeyChainFileError``. So is one below a folder that belongs to another user
/// than root, or that others may change: they could put another folder in its place.
///
/// What the files are worth depends on where the key is, see ``KeyChainKey``. Nobody notices if somebody who may write as
/// the same user puts an older sealed file of the same name back.
///
/// Nothing is read or written before the first call. The work is done on a queue of its own; calls come one after the
/// other, from any thread.
public final class FileKeyChainStore: KeyChainStoreProtocol {
    /// The longest value: 64 KiB, several times the longest token that HTTP servers take in a header field.
    public static let maximumValueBytes = 64 * 1_024

    private let folder: KeyChainFolder?
    private let queue = DispatchQueue(label: "holdfast.key-chain")

    /// Describes a store.
    ///
    /// - Parameters:
    ///   - service: Whose secrets these are. Two services do not see, and cannot swap, each other's.
    ///   - folder: The folder of the files; `nil`: `$XDG_STATE_HOME/SERVICE/key-chain`, or that below `~/.local/state`.
    ///     Folders that are missing are made with mode 0700.
    ///   - key: Where the key is.
    ///   - logger: Where a key in the environment is warned about.
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
                "The key of the credential store is in the environment, which every child process inherits",
                metadata: ["variable": "\(variable)", "service": "\(service)"])
        }
    }

    /// Throws ``KeyChainStoreError/file(_:)``; the old value is still there then.
    public func save(_ value: String, forKey key: String) async throws {
        try await perform { folder throws(KeyChainFileError) in try folder.save(Array(value.utf8), forKey: key) }
    }

    /// Keeps a value unless there is one already, in one step for all processes. Throws ``KeyChainStoreError/file(_:)``; a
    /// value that cannot be read stays, and is an error.
    public func saveIfAbsent(_ value: String, forKey key: String) async throws {
        try await perform { folder throws(KeyChainFileError) in
            try folder.save(Array(value.utf8), forKey: key, replaces: false)
        }
    }

    /// Throws ``KeyChainStoreError/file(_:)``, or ``KeyChainStoreError/stringDecodingFailed``.
    public func value(forKey key: String) async throws -> String? {
        let bytes = try await perform { folder throws(KeyChainFileError) in try folder.value(forKey: key) }
        guard let bytes else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw KeyChainStoreError.stringDecodingFailed
        }
        return text
    }

    /// Throws ``KeyChainStoreError/file(_:)``.
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

/// Why the credential store on files refuses to work. It names files and services, and never a value or a key.
public struct KeyChainFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stable name of a kind of failure. The set may grow: compare with the constants, and expect others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// Others than the owner may read or write the file or its folder (mode 0600 and 0700 are required), or may change a folder
        /// above it.
        public static let permissionsTooOpen = Code(rawValue: "permissionsTooOpen")
        /// The file or its folder belongs to another user, or a folder above it to one who is neither the user nor root.
        public static let foreignOwner = Code(rawValue: "foreignOwner")
        /// A symbolic link, a device or a pipe is in the place of the file, or something else in that of the folder.
        public static let unsuitableFile = Code(rawValue: "unsuitableFile")
        /// The system reported an error: no space, no permission, a read-only disk. The old value is still there.
        public static let storage = Code(rawValue: "storage")
        /// There is neither an absolute `XDG_STATE_HOME` nor an absolute `HOME` to put the folder in.
        public static let noFolder = Code(rawValue: "noFolder")
        /// There is a value, and no key to open it with.
        public static let keyMissing = Code(rawValue: "keyMissing")
        /// The key is not the base64 of 32 bytes.
        public static let keyUnusable = Code(rawValue: "keyUnusable")
        /// The value was sealed with another key.
        public static let wrongKey = Code(rawValue: "wrongKey")
        /// The value was changed, cut short, or put in the place of another.
        public static let damaged = Code(rawValue: "damaged")
        /// The value was written by a later version of Holdfast.
        public static let unknownVersion = Code(rawValue: "unknownVersion")
        /// The value is larger than ``FileKeyChainStore/maximumValueBytes``.
        public static let valueTooLarge = Code(rawValue: "valueTooLarge")
    }

    /// What kind of failure it is.
    public var code: Code
    /// One sentence for a person.
    public var reason: String

    /// Makes an error.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    public var description: String { "\(code): \(reason)" }
}

extension KeyChainFileError {
    /// What kept a file from being read or written, in the words of the code that tried.
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
