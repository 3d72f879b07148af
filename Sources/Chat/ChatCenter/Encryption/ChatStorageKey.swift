import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The key that encrypts the SDK's data on disk: 32 bytes, see ``ChatConfig/storageKey``.
///
/// Without the key, the data on disk is lost. The history is fetched from the server again; unsent messages are lost.
public struct ChatStorageKey: Hashable, Sendable {
    /// The number of bytes in a key.
    public static let byteCount = 32

    let bytes: [UInt8]

    /// Creates a key from its bytes. Throws ``ChatStorageError`` with
    /// ``ChatStorageError/Code-swift.struct/unusableKey`` unless there are exactly ``byteCount`` of them.
    public init(bytes: [UInt8]) throws(ChatStorageError) {
        guard bytes.count == Self.byteCount else {
            throw ChatStorageError(
                .unusableKey, "The storage key has \(bytes.count) bytes. It must have \(Self.byteCount).")
        }
        self.bytes = bytes
    }

    private init(random: SymmetricKey) {
        bytes = random.withUnsafeBytes { Array($0) }
    }

    /// Returns a new random key.
    public static func random() -> ChatStorageKey {
        ChatStorageKey(random: SymmetricKey(size: .bits256))
    }

    /// Returns the key from a credential store. The first call creates a key and stores it there.
    ///
    /// ```swift
    /// let store = SystemKeyChainStore()  // of HoldfastNetworking
    /// config.storageKey = try await ChatStorageKey.kept(
    ///     read: { try await store.value(forKey: "chat-storage-key") },
    ///     write: { try await store.saveIfAbsent($0, forKey: "chat-storage-key") })
    /// ```
    ///
    /// After `write`, the key is read again, and the result of `read` is used. If two processes start for the first
    /// time at once, both therefore use the key that was stored. For this, `write` must not replace an existing text.
    ///
    /// - Parameters:
    ///   - read: Returns the text that `write` stored; `nil` if there is none.
    ///   - write: Stores a text, the Base64 of the key, unless the store already has one.
    /// - Throws: The errors of `read` and `write`, and ``ChatStorageError`` if the text is not a key. No new key is
    ///   created then, because the data of the old key would become unreadable.
    public static func kept(
        read: () async throws -> String?, write: (String) async throws -> Void
    ) async throws -> ChatStorageKey {
        var text = try await read()
        if text == nil {
            try await write(Data(random().bytes).base64EncodedString())
            text = try await read()
        }
        guard let text else {
            throw ChatStorageError(.unusableKey, "The credential store did not store the new key.")
        }
        guard let bytes = Data(base64Encoded: text) else {
            throw ChatStorageError(.unusableKey, "The text in the credential store is not the Base64 of a key.")
        }
        return try ChatStorageKey(bytes: Array(bytes))
    }
}

extension ChatStorageKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A description without the key.
    public var description: String { "ChatStorageKey(redacted)" }
    /// The same text as ``description``.
    public var debugDescription: String { description }
    /// A mirror without children, so that `dump` does not show the key.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

/// The keys of one user's folder, derived from the app's key (HKDF, RFC 5869): one for rows, one for the names that
/// identify rows, and one for files. Each folder has different keys, so data cannot be moved between users.
struct StoreKeys: Sendable {
    let rows: SymmetricKey
    let names: SymmetricKey
    let files: SymmetricKey

    /// - Parameter folder: The name of the user's folder.
    init(_ key: ChatStorageKey, folder: String) {
        func derive(_ purpose: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: key.bytes), salt: Array(folder.utf8),
                info: Array("holdfast chat store 1 \(purpose)".utf8), outputByteCount: 32)
        }
        rows = derive("rows")
        names = derive("names")
        files = derive("files")
    }
}

/// The error of a chat store that cannot be used: its key or its location is wrong, or its contents were changed.
///
/// - Remedy: Supply the key with which the store was encrypted, or erase the store with `logout`.
public struct ChatStorageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and safe as a metric label. More kinds may be added: compare with the constants,
    /// and handle unknown values.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name of the code.
        public let rawValue: String
        /// Creates a code with the given name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name of the code.
        public var description: String { rawValue }

        /// The bytes are not a valid key.
        public static let unusableKey = Code(rawValue: "unusableKey")
        /// The store is encrypted, and ``ChatConfig/storageKey`` is not set.
        public static let keyMissing = Code(rawValue: "keyMissing")
        /// The store is encrypted with another key.
        public static let wrongKey = Code(rawValue: "wrongKey")
        /// The store is unencrypted, there is a key, and ``ChatConfig/sealsExistingStore`` is `false`.
        public static let notSealed = Code(rawValue: "notSealed")
        /// The store's folder is a link, belongs to another user, or is writable by other users. Nothing is read or
        /// written there.
        public static let unprotected = Code(rawValue: "unprotected")
        /// A row or a file was changed, moved or damaged.
        public static let tampered = Code(rawValue: "tampered")
    }

    /// The kind of failure.
    public var code: Code
    /// The reason as one sentence that can be shown to a person. Contains no key and no stored data.
    public var reason: String

    /// Creates an error.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// A textual description, for logs.
    public var description: String { "\(code.rawValue): \(reason)" }
}
