import ChatWire

// The search: the server's, and the store's where the server cannot be asked or does not answer.
extension ChatCore {
    /// Nobody looks further; also what keeps the limit of the store's query a number.
    static let lastSearchPage: Int64 = 10_000

    mutating func search(_ ticket: Ticket, _ query: String, _ page: Int64, _ turn: inout Turn) {
        startSearch(
            SearchRequest(asker: .ticket(ticket), text: query, page: min(max(0, page), Self.lastSearchPage)), &turn)
    }

    private mutating func startSearch(_ request: SearchRequest, _ turn: inout Turn) {
        guard session != nil else { return endSearch(request, .failure(.notAuthorized), isLocal: false, &turn) }
        guard configuration.searchEnabled.value else {
            return endSearch(request, .failure(.disabled), isLocal: false, &turn)
        }
        guard request.text.contains(where: { !$0.isWhitespace }) else {
            let nothing = SearchAnswer(total: 0, pages: 0, content: [], page: nil)
            return endSearch(request, .success(nothing), isLocal: false, &turn)
        }
        // A network that is known to be gone, or a token that is known to be refused: the server is not bothered.
        guard hasRoute, mayCall else { return searchStore(request, &turn) }
        let size = Int64(configuration.historyLoadingCount.value)
        _ = call(.search(query: request.text, page: request.page, size: size), for: .search(request), &turn)
    }

    /// The server could not answer: what this device holds is searched.
    mutating func searchFailed(_ request: SearchRequest, _ failure: TransportFailure, _ turn: inout Turn) {
        var request = request
        request.failure = failure
        searchStore(request, &turn)
    }

    private mutating func searchStore(_ request: SearchRequest, _ turn: inout Turn) {
        let query = storeQuery(request)
        let isUnderWay = storeSearches.contains { storeQuery($0) == query }
        storeSearches.append(request)
        if !isUnderWay { turn.emit(.searchStore(query)) }
    }

    /// Everything up to the end of the page, and one hit more, to know whether there is another page.
    private func storeQuery(_ request: SearchRequest) -> SearchQuery {
        let size = configuration.historyLoadingCount.value
        return SearchQuery(text: request.text, limit: (Int(clamping: request.page) + 1) * size + 1)
    }

    mutating func storeSearched(
        _ query: SearchQuery, _ result: Result<[SearchHit], StoreFailure>, _ turn: inout Turn
    ) {
        let answered = storeSearches.filter { storeQuery($0) == query }
        storeSearches = storeSearches.filter { storeQuery($0) != query }
        let size = configuration.historyLoadingCount.value
        for request in answered {
            switch result {
            case .success(let hits):
                let offset = Int(clamping: request.page) * size
                let content = hits.dropFirst(offset).prefix(size).compactMap { $0.content ?? window[$0.id]?.content }
                let hasMore = hits.count >= query.limit
                let answer = SearchAnswer(
                    total: Int64(hits.count), pages: request.page + (hasMore ? 2 : 1), content: content,
                    page: .init(offset: Int64(offset), size: Int64(size), number: request.page))
                endSearch(request, .success(answer), isLocal: true, &turn)
            case .failure(let failure):
                turn.log(.error, "the store could not be searched: \(failure.kind.rawValue)")
                let reason = request.failure ?? TransportFailure(.file, errorID: failure.errorID)
                endSearch(request, .failure(.transport(reason)), isLocal: true, &turn)
            }
        }
    }

    mutating func searchAnswered(_ request: SearchRequest, _ answer: SearchAnswer, _ turn: inout Turn) {
        endSearch(request, .success(answer), isLocal: false, &turn)
    }

    mutating func endSearch(
        _ request: SearchRequest, _ result: Result<SearchAnswer, RequestFailure>, isLocal: Bool, _ turn: inout Turn
    ) {
        switch request.asker {
        case .ticket(let ticket): turn.emit(.notify(.searchAnswer(ticket, result)))
        case .screen(let number): showResults(number, request, result, isLocal: isLocal)
        }
    }

    // MARK: On the screen

    mutating func searchTyped(_ text: String, _ turn: inout Turn) {
        if let past = stage.search { cancelSearch(past.number, &turn) }
        guard session != nil, configuration.searchEnabled.value, text.contains(where: { !$0.isWhitespace }) else {
            stage.search = nil
            return
        }
        stage.search = ScreenSearch(
            number: nextNumber(), text: String(text.prefix(Self.maximumTextLength)),
            startAt: turn.now.after(milliseconds: ScreenSearch.pause).monotonic)
    }

    mutating func searchMore(_ turn: inout Turn) {
        guard let search = stage.search, search.hasMore, search.awaitedPage == nil, search.startAt == nil else {
            return
        }
        askForResults(&turn)
    }

    /// The user has stopped typing.
    mutating func searchIsDue(_ turn: inout Turn) {
        guard let startAt = stage.search?.startAt, startAt <= turn.now.monotonic else { return }
        stage.search?.startAt = nil
        askForResults(&turn)
    }

    private mutating func askForResults(_ turn: inout Turn) {
        guard let search = stage.search else { return }
        stage.search?.awaitedPage = search.nextPage
        startSearch(SearchRequest(asker: .screen(search.number), text: search.text, page: search.nextPage), &turn)
    }

    private mutating func cancelSearch(_ number: UInt64, _ turn: inout Turn) {
        storeSearches.removeAll { $0.asker == .screen(number) }
        for call in calls {
            guard case .search(let request) = call.purpose, request.asker == .screen(number) else { continue }
            turn.emit(.network(.cancel(.call(call.id))))
        }
        calls.removeAll { call in
            if case .search(let request) = call.purpose { request.asker == .screen(number) } else { false }
        }
    }

    private mutating func showResults(
        _ number: UInt64, _ request: SearchRequest, _ result: Result<SearchAnswer, RequestFailure>, isLocal: Bool
    ) {
        guard var search = stage.search, search.number == number, search.awaitedPage == request.page else { return }
        search.awaitedPage = nil
        search.failure = request.failure
        switch result {
        case .failure(.transport(let failure)):
            search.failure = failure
            search.hasMore = true
        case .failure: search.hasMore = false
        case .success(let answer):
            // Pages of the server and of the store do not fit together.
            if isLocal != search.isLocal, request.page > 0 {
                search.hasMore = false
                break
            }
            search.isLocal = isLocal
            search.nextPage = request.page + 1
            search.total = Int(clamping: max(0, answer.total))
            for content in answer.content {
                guard let row = foundRow(content), !search.results.contains(where: { $0.id == row.id }) else {
                    continue
                }
                search.results.append(row)
            }
            search.hasMore = search.nextPage < answer.pages && search.results.count < ScreenSearch.longestList
        }
        stage.search = search
    }

    /// A message that was found, as a row without buttons.
    private func foundRow(_ content: Content) -> ChatScreenMessage? {
        let item = Incoming(content)
        let known = window[item.id]
        let message =
            known
            ?? StoredMessage(
                id: item.id, serverID: item.serverID, content: content,
                position: MessagePosition(time: item.time ?? 0, sequence: 0),
                state: item.isOwn ? .own(.sent) : .received(.read))
        var row = message.row(isUploading: false)
        row?.buttons = []
        return row
    }
}
