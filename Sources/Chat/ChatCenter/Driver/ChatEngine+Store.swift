import ChatCenterCore
import Foundation

extension StoreChange {
    /// Whether the change may delete the user's folder.
    var erases: Bool {
        switch self {
        case .erase, .farewell(nil): true
        default: false
        }
    }
}

extension ChatEngine {
    /// Returns the store of a user, and opens it if necessary.
    func store(of clientID: String) -> SQLiteChatStore {
        if let store = stores[clientID] { return store }
        let store = SQLiteChatStore(
            folder: configuration.folder(of: clientID), errors: errors,
            sealsExisting: configuration.config.sealsExistingStore)
        stores[clientID] = store
        return store
    }

    /// Describes a failure of the store with the underlying error, if it is still known.
    nonisolated func describe(_ failure: StoreFailure) -> String {
        errors.error(failure.errorID).map { "\($0)" } ?? failure.kind.rawValue
    }

    /// Reads a user's data from the store. A damaged store is recreated: the history comes from the server, and a chat
    /// that can never open again would be worse.
    func restore(_ clientID: String) throws(StoreFailure) -> PersistedChat {
        // All data of an authorized user is already in memory.
        if state.session?.identity.clientID == clientID { return .empty }
        // The store was opened without a key, only to report a logout. It is encrypted now.
        if let known = stores[clientID], known.codec.keys == nil, configuration.config.storageKey != nil {
            stores[clientID] = nil
        }
        let store = store(of: clientID)
        do throws(StoreFailure) {
            return try store.restore(window: PersistedChat.restoredMessages)
        } catch {
            guard error.kind == .corrupt else { throw error }
            if repair(store, error), let restored = try? store.restore(window: PersistedChat.restoredMessages) {
                return restored
            }
            log(
                .error,
                "The chat's store is damaged and is created again. Unsent messages are lost: "
                    + describe(error))
            try store.erase()
            return try store.restore(window: PersistedChat.restoredMessages)
        }
    }

    /// Deletes unreadable rows of a store, so that the rest can be read. Returns whether any row was deleted.
    func repair(_ store: SQLiteChatStore, _ failure: StoreFailure) -> Bool {
        guard failure.kind == .corrupt, let count = try? store.removeUnreadable(), count > 0 else { return false }
        log(
            .error,
            "The chat's store is damaged: \(count) messages or settings could not be read and were deleted. "
                + "Unsent ones are lost: " + describe(failure))
        return true
    }
}

extension ChatEngine {
    /// The maximum number of pending logouts to report. Each logout without a connection leaves one. Further ones stay
    /// stored.
    private static let mostFarewells = 16
    /// The maximum number of folders to inspect. Users who did not log out have one too. Further ones are not
    /// inspected.
    private static let mostFolders = 256

    /// Returns the logouts of earlier processes that the server does not know yet.
    ///
    /// A folder is opened without changes until it is known to belong to this chat: users of another provider or app
    /// can have folders in the same root, with another key or without one.
    func foundFarewells() -> [Farewell] {
        try? UserFolder.sweepErased(in: configuration.root)
        let config = configuration.config
        let here = state.session.map { configuration.folder(of: $0.identity.clientID).url.lastPathComponent }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: configuration.root.path)) ?? []
        let folders = names.filter { $0 != here && UserFolder.isName($0) }.sorted().prefix(Self.mostFolders)
        var farewells: [Farewell] = []
        for name in folders where farewells.count < Self.mostFarewells {
            let url = configuration.root.appendingPathComponent(name)
            // An unencrypted store stays so until its user returns: that user's key encrypts it.
            for key in Set([config.storageKey, config.sealsExistingStore ? nil : config.storageKey]) {
                let store = SQLiteChatStore(
                    folder: UserFolder(at: url, key: key), errors: errors, sealsExisting: config.sealsExistingStore)
                guard let farewell = try? store.storedFarewell(),
                    configuration.folder(of: farewell.clientID).url.lastPathComponent == name
                else { continue }
                stores[farewell.clientID] = store
                farewells.append(farewell)
            }
        }
        return farewells
    }
}
