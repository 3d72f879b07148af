import ChatCenterCore
import ChatWire
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

    // MARK: Reading

    /// Starts the reading that a turn requested. It runs concurrently with later turns, so that a search over many
    /// messages delays no message.
    func read(_ reading: Reading) {
        guard let clientID = state.session?.identity.clientID else { return }
        switch reading {
        case .page(let query): readPage(query, of: clientID)
        case .search(let query): search(query, of: clientID, tries: 3)
        }
    }

    /// Returns whether a result for this user can still be used. The user may have logged out or been replaced
    /// meanwhile.
    private func isOfUse(to clientID: String) -> Bool {
        !hasStopped && state.session?.identity.clientID == clientID
    }

    private func readPage(_ query: HistoryQuery, of clientID: String) {
        guard isOfUse(to: clientID) else { return }
        let store = store(of: clientID)
        let reader: SQLiteChatReader
        do throws(StoreFailure) {
            reader = try store.reader()
        } catch {
            return post { $0.pageArrived(query, .failure(error), of: clientID, version: nil) }
        }
        let version = store.version
        readers.run { [self] in
            let result = Result { () throws(StoreFailure) in try reader.page(query) }
            post { $0.pageArrived(query, result, of: clientID, version: version) }
        }
    }

    /// Receives a page that was read at `version` of the store. Later commits may have deleted or changed messages in
    /// it.
    private func pageArrived(
        _ query: HistoryQuery, _ result: Result<HistoryPage, StoreFailure>, of clientID: String, version: UInt64?
    ) {
        guard isOfUse(to: clientID) else { return }
        var result = result
        let store = store(of: clientID)
        var isStale = version != store.version
        if case .failure(let error) = result { isStale = repair(store, error) }
        if isStale { result = Result { () throws(StoreFailure) in try store.page(query) } }
        turn(on: .page(query, result))
        finishTurns()
    }

    private func search(_ query: SearchQuery, of clientID: String, tries: Int) {
        guard isOfUse(to: clientID) else { return }
        let store = store(of: clientID)
        let reader: SQLiteChatReader
        do throws(StoreFailure) {
            if try store.takeWaitingWords() {
                // One try per job, so that sending a message can run in between.
                return post { $0.search(query, of: clientID, tries: tries) }
            }
            reader = try store.reader()
        } catch {
            return post { $0.found(query, .failure(error), of: clientID, version: nil, tries: 0) }
        }
        let version = store.version
        readers.run { [self] in
            let result = Result { () throws(StoreFailure) in try reader.search(query) }
            post { $0.found(query, result, of: clientID, version: version, tries: tries - 1) }
        }
    }

    /// Receives the result of a search. It is repeated if something was committed meanwhile, but only a few times:
    /// messages may arrive faster than the search runs.
    private func found(
        _ query: SearchQuery, _ result: Result<[SearchHit], StoreFailure>, of clientID: String, version: UInt64?,
        tries: Int
    ) {
        guard isOfUse(to: clientID) else { return }
        if tries > 0, version != store(of: clientID).version { return search(query, of: clientID, tries: tries) }
        turn(on: .found(query, result))
        finishTurns()
    }

    // MARK: Damage

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
    private func repair(_ store: SQLiteChatStore, _ failure: StoreFailure) -> Bool {
        guard failure.kind == .corrupt, let count = try? store.removeUnreadable(), count > 0 else { return false }
        log(
            .error,
            "The chat's store is damaged: \(count) messages or settings could not be read and were deleted. "
                + "Unsent ones are lost: " + describe(failure))
        return true
    }
}

extension ChatEngine {
    /// The maximum number of pending logouts to report. Each logout without a connection leaves one.
    private static let mostFarewells = 16
    /// The maximum number of folders to inspect. Users who did not log out have one too.
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
