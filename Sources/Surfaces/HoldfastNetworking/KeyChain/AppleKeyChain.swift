#if canImport(Security)
import Dispatch
import Foundation
import Security

/// Apple's key chain: generic passwords of one service, accessible after the first unlock. On Linux it is only
/// type-checked against a stub of the framework, never run.
final class AppleKeyChain: Sendable {
    private let service: String
    private let queue = DispatchQueue(label: "holdfast.key-chain")

    init(service: String) {
        self.service = service
    }

    /// Replaces the value in one step instead of deleting it first, so that a failure leaves the old value.
    func save(_ value: String, forKey key: String) async throws {
        try await perform(key) { query in
            let content = Self.content(value)
            let updated = SecItemUpdate(query as CFDictionary, content as CFDictionary)
            guard updated == errSecItemNotFound else { return try Self.check(updated) }
            let added = SecItemAdd(query.merging(content) { _, new in new } as CFDictionary, nil)
            // Another process added the value first.
            guard added == errSecDuplicateItem else { return try Self.check(added) }
            try Self.check(SecItemUpdate(query as CFDictionary, content as CFDictionary))
        }
    }

    func saveIfAbsent(_ value: String, forKey key: String) async throws {
        try await perform(key) { query in
            let content = Self.content(value)
            let added = SecItemAdd(query.merging(content) { _, new in new } as CFDictionary, nil)
            if added != errSecDuplicateItem { try Self.check(added) }
        }
    }

    func value(forKey key: String) async throws -> String? {
        try await perform(key) { query in
            var query = query
            query[kSecReturnData as String] = true
            query[kSecMatchLimit as String] = kSecMatchLimitOne
            var found: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            try Self.check(status)
            return try KeyChainStoreError.text(found as? Data)
        }
    }

    func deleteValue(forKey key: String) async throws {
        try await perform(key) { query in
            let status = SecItemDelete(query as CFDictionary)
            if status != errSecItemNotFound { try Self.check(status) }
        }
    }

    private static func content(_ value: String) -> [String: Any] {
        [kSecValueData as String: Data(value.utf8), kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock]
    }

    private static func check(_ status: OSStatus) throws {
        guard status == errSecSuccess else { throw KeyChainStoreError.unexpectedStatus(status) }
    }

    /// Runs the framework's blocking calls on their own queue.
    private func perform<Value: Sendable>(
        _ key: String, _ work: @escaping @Sendable ([String: Any]) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [service] in
                let query: [String: Any] = [
                    kSecClass as String: kSecClassGenericPassword,
                    kSecAttrService as String: service,
                    kSecAttrAccount as String: key,
                ]
                continuation.resume(with: Result { try work(query) })
            }
        }
    }
}
#endif
