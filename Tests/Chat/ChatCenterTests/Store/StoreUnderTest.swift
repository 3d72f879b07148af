import Testing
import ChatCenterCore
import ChatCenterCoreTestSupport
import Foundation

@testable import ChatCenter

/// The stores that must satisfy the same contract.
enum StoreUnderTest: String, CaseIterable, CustomTestStringConvertible {
    case memory
    case sqlite
    /// SQLite with a key.
    case sealed

    var testDescription: String { rawValue }

    func make(in folder: TemporaryFolder) -> any ChatStore {
        switch self {
        case .memory: MemoryStore()
        case .sqlite: SQLiteChatStore(folder: Self.userFolder(in: folder), errors: ErrorTable())
        case .sealed: SQLiteChatStore(folder: Self.userFolder(in: folder, key: Self.key), errors: ErrorTable())
        }
    }

    /// The key of encrypted stores.
    static let key = ChatStorageKey.random()

    static func userFolder(
        in folder: TemporaryFolder, clientID: String = "client", key: ChatStorageKey? = nil
    ) -> UserFolder {
        UserFolder(root: folder.url, providerUID: "provider", appMarker: nil, clientID: clientID, key: key)
    }
}
