import ChatCenter
import Foundation
import HoldfastNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of Sources/Chat/ChatCenter/Documentation.docc/Storage.md.
struct StorageSnippets {
    func sample1(config: inout ChatConfig) async throws {
        let store = SystemKeyChainStore()  // HoldfastNetworking; the app may keep the key elsewhere
        config.storageKey = try await ChatStorageKey.kept(
            read: { try await store.value(forKey: "chat-storage-key") },
            write: { try await store.saveIfAbsent($0, forKey: "chat-storage-key") })
    }
}
