import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The key that what the SDK keeps on the disk is sealed with: 32 bytes, see ``ChatConfig/storageKey``.
///
/// Whoever loses the key loses what is on the disk: the history comes from the server again, messages that were not sent
/// yet do not.
public struct ChatStorageKey: Hashable, Sendable {
    /// How many bytes a key has.
    public static let byteCount = 32

    let bytes: [UInt8]

    /// Takes the bytes of a key. Throws ``ChatStorageError`` with ``ChatStorageError/Code-swift.struct/unusableKey`` unless
    /// there are exactly ``byteCount`` of them.
    public init(bytes: [UInt8]) throws(ChatStorageError) {
        guard bytes.count == Self.byteCount else {
            throw ChatStorageError(
                .unusableKey, "A storage key has \(Self.byteCount) bytes; \(bytes.count) were given.")
        }
        self.bytes = bytes
    }

    private init(random: SymmetricKey) {
        bytes = random.withUnsafeBytes { Array($0) }
    }

    /// A new random key.
    public static func random() -> ChatStorageKey {
        ChatStorageKey(random: SymmetricKey(size: .bits256))
    }

    /// Returns the key that a credential store keeps. The first call makes a new key and keeps it there.
    ///
    /// ```swift
    /// let store = SystemKeyChainStore()  // of HoldfastNetworking
    /// config.storageKey = try await ChatStorageKey.kept(
    ///     read: { try await store.value(forKey: "chat-storage-key") },
    ///     write: { try await store.saveIfAbsent($0, forKey: "chat-storage-key") })
    /// ```
    ///
    /// After `write` the key is read back, and what `read` returns is the key: if two processes start for the first time at
    /// once, both use the key that the store kept. For that, `write` must not replace a text that is there already.
    ///
    /// - Parameters:
    ///   - read: Reads the text that `write` kept; `nil` if there is none.
    ///   - write: Keeps a text, Base64 of the key, unless the store has one already.
    /// - Throws: What `read` or `write` throws, and ``ChatStorageError`` where the text is no key: a new one in its
    ///   place would make everything unreadable that the old one sealed.
    public static func kept(
        read: () async throws -> String?, write: (String) async throws -> Void
    ) async throws -> ChatStorageKey {
        var text = try await read()
        if text == nil {
            try await write(Data(random().bytes).base64EncodedString())
            text = try await read()
        }
        guard let text else {
            throw ChatStorageError(.unusableKey, "The credential store did not keep the new key.")
        }
        guard let bytes = Data(base64Encoded: text) else {
            throw ChatStorageError(.unusableKey, "What the credential store keeps is not the Base64 of a key.")
        }
        return try ChatStorageKey(bytes: Array(bytes))
    }
}

extension ChatStorageKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Never the bytes.
    public var description: String { "ChatStorageKey(redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

/// The chat's store cannot be used: its key or its place is wrong, or its contents were changed.
public struct ChatStorageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label. The set may grow: compare with the constants, and expect others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// The bytes are not a valid key.
        public static let unusableKey = Code(rawValue: "unusableKey")
        /// The store is sealed, and ``ChatConfig/storageKey`` is not set.
        public static let keyMissing = Code(rawValue: "keyMissing")
        /// The store is sealed with another key.
        public static let wrongKey = Code(rawValue: "wrongKey")
        /// The store is in the clear, there is a key, and ``ChatConfig/sealsExistingStore`` is `false`.
        public static let notSealed = Code(rawValue: "notSealed")
        /// The store's place is a link, belongs to another user, or can be changed by other users. Nothing is read or written
        /// there.
        public static let unprotected = Code(rawValue: "unprotected")
        /// A row or a file is not what was written at its place: it was changed, moved or damaged.
        public static let tampered = Code(rawValue: "tampered")
    }

    /// The kind of failure.
    public var code: Code
    /// One sentence for a person. Holds no key and nothing of what is kept.
    public var reason: String

    /// Describes a failure.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    public var description: String { "\(code.rawValue): \(reason)" }
}

/// The keys of one user's folder, derived from the app's key (HKDF, RFC 5869): one for rows, one for the names that rows
/// are looked up by, one for files. Another folder has others, so that nothing can be carried from one user to the next.
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
