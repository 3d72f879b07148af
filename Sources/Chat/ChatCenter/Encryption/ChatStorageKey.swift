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

    /// Takes the bytes of a key. Throws ``ChatStorageError`` with ``ChatStorageError/Code-swift.enum/unusableKey`` unless
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
