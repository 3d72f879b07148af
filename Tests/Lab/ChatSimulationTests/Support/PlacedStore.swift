import ChatCenterCore
import Foundation

@testable import ChatCenter

/// A store that accepts only copies of files in its folder, for a world whose files have names and no contents.
final class PlacedStore: ChatStore {
    private let store: SQLiteChatStore
    private let prefix: String

    init(_ store: SQLiteChatStore) {
        self.store = store
        prefix = store.folder.files.path + "/"
    }

    func restore(window: Int) throws(StoreFailure) -> PersistedChat {
        var chat = try store.restore(window: window)
        for index in chat.attachments.indices {
            let path = chat.attachments[index].file.path
            if path.hasPrefix(prefix) { chat.attachments[index].file.path = String(path.dropFirst(prefix.count)) }
        }
        return chat
    }

    func commit(_ transaction: StoreTransaction) throws(StoreFailure) {
        var transaction = transaction
        transaction.changes = transaction.changes.map { change in
            guard case .saveAttachment(var job) = change else { return change }
            job.file.path = prefix + job.file.path
            return .saveAttachment(job)
        }
        try store.commit(transaction)
    }

    func messages(named names: [String]) throws(StoreFailure) -> [StoredMessage] { try store.messages(named: names) }

    func page(_ query: HistoryQuery) throws(StoreFailure) -> HistoryPage { try store.page(query) }

    func search(_ query: SearchQuery) throws(StoreFailure) -> [SearchHit] { try store.search(query) }

    func erase() throws(StoreFailure) { try store.erase() }
}
