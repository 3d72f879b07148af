import Testing
import ChatCenterCore
import Foundation

@testable import ChatCenter

/// The stores that have to keep the same contract.
enum StoreUnderTest: String, CaseIterable, CustomTestStringConvertible {
    case memory
    case sqlite

    var testDescription: String { rawValue }

    func make(in folder: TemporaryFolder) -> any ChatStore {
        switch self {
        case .memory: MemoryStore()
        case .sqlite: SQLiteChatStore(folder: Self.userFolder(in: folder), errors: ErrorTable())
        }
    }

    static func userFolder(in folder: TemporaryFolder, clientID: String = "client") -> UserFolder {
        UserFolder(root: folder.url, providerUID: "provider", appMarker: nil, clientID: clientID)
    }
}
