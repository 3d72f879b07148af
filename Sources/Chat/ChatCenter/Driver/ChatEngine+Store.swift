import ChatCenterCore
import ChatWire
import Foundation

extension StoreChange {
    /// Whether the change may take the user's folder away.
    var erases: Bool {
        switch self {
        case .erase, .farewell(nil): true
        default: false
        }
    }
}

extension ChatEngine {
    /// The store of a user, opened if need be.
    func store(of clientID: String) -> SQLiteChatStore {
        if let store = stores[clientID] { return store }
        let store = SQLiteChatStore(
            folder: configuration.folder(of: clientID), errors: errors,
            sealsExisting: configuration.config.sealsExistingStore)
        stores[clientID] = store
        return store
    }

    /// An error of the store with all that is known of it.
    nonisolated func describe(_ failure: StoreFailure) -> String {
        errors.error(failure.errorID).map { "\($0)" } ?? failure.kind.rawValue
    }

    // MARK: Reading

    /// Reads what a turn wants, beside the turns that follow: a search over many messages holds up no message.
    func read(_ reading: Reading) {
        guard let clientID = state.session?.identity.clientID else { return }
        switch reading {
        case .page(let query): readPage(query, of: clientID)
        case .search(let query): search(query, of: clientID, tries: 3)
        }
    }

    /// Whether what was read for a user is still of use: the user may have left meanwhile, or another may be here.
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

    /// A page was read, when the store was at `version`. What was committed since may have deleted or changed a message of it.
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
                // Not all at once: a message that is sent comes between.
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

    /// A search has ended. Where something was committed meanwhile it is made again, but not for ever: messages may come
    /// faster than they are searched.
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

    /// What the store holds of a user. A damaged one is begun anew: the history comes from the server, and a chat that
    /// can never open again helps nobody.
    func restore(_ clientID: String) throws(StoreFailure) -> PersistedChat {
        // A user who is here already has all of it in memory.
        if state.session?.identity.clientID == clientID { return .empty }
        // One in the clear that only had a farewell to tell is sealed now.
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
                "The chat's store is damaged and is begun anew; messages that were not sent yet are lost: "
                    + describe(error))
            try store.erase()
            return try store.restore(window: PersistedChat.restoredMessages)
        }
    }

    /// Takes out of a store what cannot be read, so that the rest can. Returns whether anything was taken.
    private func repair(_ store: SQLiteChatStore, _ failure: StoreFailure) -> Bool {
        guard failure.kind == .corrupt, let count = try? store.removeUnreadable(), count > 0 else { return false }
        log(
            .error,
            "The chat's store is damaged: \(count) messages or settings could not be read and were taken out; "
                + "those that were not sent yet are lost: " + describe(failure))
        return true
    }
}

extension ChatEngine {
    /// The most farewells that are told: one is left by each logout without a server.
    private static let mostFarewells = 16
    /// The most folders that are looked into. Users who did not leave have one too.
    private static let mostFolders = 256

    /// What the stores of past processes still have to tell the server. A folder is only read until it is known to be
    /// this chat's own: another provider's or another app's user lies in the same root, and may have another key or none.
    func foundFarewells() -> [Farewell] {
        try? UserFolder.sweepErased(in: configuration.root)
        let config = configuration.config
        let here = state.session.map { configuration.folder(of: $0.identity.clientID).url.lastPathComponent }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: configuration.root.path)) ?? []
        let folders = names.filter { $0 != here && UserFolder.isName($0) }.sorted().prefix(Self.mostFolders)
        var farewells: [Farewell] = []
        for name in folders where farewells.count < Self.mostFarewells {
            let url = configuration.root.appendingPathComponent(name)
            // A store that was in the clear stays so until its user is back, whose key seals it.
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
