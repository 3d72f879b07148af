import ChatCenterCore

extension ChatEngine {
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
}
