import ChatWire

/// A search in progress: the caller, the text, and the reason why the server is no longer asked.
struct SearchRequest: Hashable, Sendable {
    enum Asker: Hashable, Sendable {
        case ticket(Ticket)
        /// The search on the screen with this number.
        case screen(UInt64)
    }

    var asker: Asker
    var text: String
    var page: Int64
    /// The server's failure, if the store is searched instead.
    var failure: TransportFailure?
}

/// A state machine for the search. It searches on the server, or in the store if the server cannot be asked or does not
/// answer. It performs no I/O itself: its actions request calls and store searches, and the answers arrive as events.
struct SearchMachine: Hashable, Sendable {
    /// The conditions that a search depends on, at the time of an event.
    struct Conditions: Hashable, Sendable {
        var isAuthorized: Bool
        var isEnabled: Bool
        /// Whether the server can be asked: a route may exist, and the token is not known to be refused.
        var mayAskServer: Bool
        /// The number of messages on one page of results.
        var pageSize: Int
    }

    /// The search on the screen.
    private struct OnScreen: Hashable, Sendable {
        /// A number that distinguishes this search from earlier ones.
        var number: UInt64
        var text: String
        /// The start of the call, on the monotonic clock. The delay avoids a call for each letter.
        var startAt: Int64?
        /// The page whose answer is pending.
        var awaitedPage: Int64?
        var nextPage: Int64 = 0
        var results: [ChatScreenMessage] = []
        var total = 0
        var hasMore = false
        /// Whether the results come from the store only.
        var isLocal = false
        /// The reason why the server did not answer.
        var failure: TransportFailure?
    }

    /// The delay between the last keystroke and the search, in milliseconds.
    static let pause: Int64 = 300
    /// The largest number of results in memory. At the limit, further pages are not loaded.
    static let longestList = 1000
    /// The last page that can be requested. It also keeps the limit of the store's query in range.
    static let lastPage: Int64 = 10_000

    private var onScreen: OnScreen?
    /// The searches that the store is processing.
    private var storeRequests: [SearchRequest] = []

    /// The search for the screen; `nil` if there is none.
    var shown: ChatScreenSearch? {
        onScreen.map { search in
            ChatScreenSearch(
                text: search.text, isSearching: search.startAt != nil || search.awaitedPage != nil,
                results: search.results, total: search.total, hasMore: search.hasMore, isLocal: search.isLocal,
                failure: search.failure)
        }
    }

    /// The time of the next call of `expire`, on the monotonic clock.
    var wake: Int64? { onScreen?.startAt }

    // MARK: Requests

    /// Starts a search of the host application.
    mutating func search(_ ticket: Ticket, _ query: String, page: Int64, _ conditions: Conditions) -> [CoreAction] {
        let page = min(max(0, page), Self.lastPage)
        return start(SearchRequest(asker: .ticket(ticket), text: query, page: page), conditions)
    }

    /// Handles a change of the text on the screen. The search starts after a pause in typing.
    mutating func typed(
        _ text: String, at now: Moment, _ conditions: Conditions, numbers: inout NumberSequence
    ) -> [CoreAction] {
        let actions = onScreen.map { cancel($0.number) } ?? []
        guard conditions.isAuthorized, conditions.isEnabled, text.contains(where: { !$0.isWhitespace }) else {
            onScreen = nil
            return actions
        }
        onScreen = OnScreen(
            number: numbers.next(), text: String(text.prefix(OutgoingMessage.longestText)),
            startAt: now.after(milliseconds: Self.pause).monotonic)
        return actions
    }

    /// Requests the next page of results.
    mutating func more(_ conditions: Conditions) -> [CoreAction] {
        guard let search = onScreen, search.hasMore, search.awaitedPage == nil, search.startAt == nil else { return [] }
        return askForResults(conditions)
    }

    /// Ends the search, because there is a new screen.
    mutating func leaveScreen() { onScreen = nil }

    /// Starts the search after the pause in typing.
    mutating func expire(at now: Moment, _ conditions: Conditions) -> [CoreAction] {
        guard let startAt = onScreen?.startAt, startAt <= now.monotonic else { return [] }
        onScreen?.startAt = nil
        return askForResults(conditions)
    }

    // MARK: Answers

    mutating func answered(_ request: SearchRequest, _ answer: SearchAnswer, in window: MessageWindow) -> [CoreAction] {
        end(request, .success(answer), isLocal: false, in: window)
    }

    /// Searches the store, because the server could not answer.
    mutating func failed(_ request: SearchRequest, _ failure: TransportFailure, _ conditions: Conditions)
        -> [CoreAction]
    {
        var request = request
        request.failure = failure
        return askStore(request, conditions)
    }

    /// Fails a search whose call was cancelled because of another token or another user.
    mutating func cancelled(_ request: SearchRequest) -> [CoreAction] {
        end(request, .failure(.superseded), isLocal: false)
    }

    /// Fails all store searches, because another token or another user replaced the previous one.
    mutating func cancelStoreRequests() -> [CoreAction] {
        let cancelled = storeRequests
        storeRequests = []
        return cancelled.flatMap { end($0, .failure(.superseded), isLocal: true) }
    }

    mutating func storeAnswered(
        _ query: SearchQuery, _ result: Result<[SearchHit], StoreFailure>, in window: MessageWindow,
        _ conditions: Conditions
    ) -> [CoreAction] {
        let size = conditions.pageSize
        let answered = storeRequests.filter { storeQuery($0, conditions) == query }
        storeRequests = storeRequests.filter { storeQuery($0, conditions) != query }
        var actions: [CoreAction] = []
        for request in answered {
            switch result {
            case .success(let hits):
                let offset = Int(clamping: request.page) * size
                let content = hits.dropFirst(offset).prefix(size).compactMap { $0.content ?? window[$0.id]?.content }
                let hasMore = hits.count >= query.limit
                let answer = SearchAnswer(
                    total: Int64(hits.count), pages: request.page + (hasMore ? 2 : 1), content: content,
                    page: .init(offset: Int64(offset), size: Int64(size), number: request.page))
                actions += end(request, .success(answer), isLocal: true, in: window)
            case .failure(let failure):
                actions.append(.log(.error, "the store could not be searched: \(failure.kind.rawValue)"))
                let reason = request.failure ?? TransportFailure(.file, errorID: failure.errorID)
                actions += end(request, .failure(.transport(reason)), isLocal: true)
            }
        }
        return actions
    }

    // MARK: Searching

    private mutating func start(_ request: SearchRequest, _ conditions: Conditions) -> [CoreAction] {
        guard conditions.isAuthorized else { return end(request, .failure(.notAuthorized), isLocal: false) }
        guard conditions.isEnabled else { return end(request, .failure(.disabled), isLocal: false) }
        guard request.text.contains(where: { !$0.isWhitespace }) else {
            let nothing = SearchAnswer(total: 0, pages: 0, content: [], page: nil)
            return end(request, .success(nothing), isLocal: false)
        }
        // Without a network, or with a refused token, a call to the server would fail.
        guard conditions.mayAskServer else { return askStore(request, conditions) }
        return [
            .call(
                .search(query: request.text, page: request.page, size: Int64(conditions.pageSize)),
                for: .search(request))
        ]
    }

    private mutating func askStore(_ request: SearchRequest, _ conditions: Conditions) -> [CoreAction] {
        let query = storeQuery(request, conditions)
        let isUnderWay = storeRequests.contains { storeQuery($0, conditions) == query }
        storeRequests.append(request)
        return isUnderWay ? [] : [.effect(.searchStore(query))]
    }

    /// Returns a query for all hits up to the end of the page. One more hit shows whether there is another page.
    private func storeQuery(_ request: SearchRequest, _ conditions: Conditions) -> SearchQuery {
        SearchQuery(text: request.text, limit: (Int(clamping: request.page) + 1) * conditions.pageSize + 1)
    }

    private mutating func askForResults(_ conditions: Conditions) -> [CoreAction] {
        guard let search = onScreen else { return [] }
        onScreen?.awaitedPage = search.nextPage
        return start(
            SearchRequest(asker: .screen(search.number), text: search.text, page: search.nextPage), conditions)
    }

    private mutating func cancel(_ number: UInt64) -> [CoreAction] {
        storeRequests.removeAll { $0.asker == .screen(number) }
        return [.cancelSearch(screen: number)]
    }

    // MARK: The end of a search

    private mutating func end(
        _ request: SearchRequest, _ result: Result<SearchAnswer, RequestFailure>, isLocal: Bool,
        in window: MessageWindow = MessageWindow()
    ) -> [CoreAction] {
        switch request.asker {
        case .ticket(let ticket): return [.notify(.searchAnswer(ticket, result))]
        case .screen(let number):
            show(number, request, result, isLocal: isLocal, in: window)
            return []
        }
    }

    private mutating func show(
        _ number: UInt64, _ request: SearchRequest, _ result: Result<SearchAnswer, RequestFailure>, isLocal: Bool,
        in window: MessageWindow
    ) {
        guard var search = onScreen, search.number == number, search.awaitedPage == request.page else { return }
        search.awaitedPage = nil
        search.failure = request.failure
        switch result {
        case .failure(.transport(let failure)):
            search.failure = failure
            search.hasMore = true
        case .failure: search.hasMore = false
        case .success(let answer):
            // Pages of the server and of the store cannot be combined.
            if isLocal != search.isLocal, request.page > 0 {
                search.hasMore = false
                break
            }
            search.isLocal = isLocal
            search.nextPage = request.page + 1
            search.total = Int(clamping: max(0, answer.total))
            for content in answer.content {
                guard let row = row(content, in: window), !search.results.contains(where: { $0.id == row.id }) else {
                    continue
                }
                search.results.append(row)
            }
            search.hasMore = search.nextPage < answer.pages && search.results.count < Self.longestList
        }
        onScreen = search
    }

    /// Returns the row of a matching message, without buttons.
    private func row(_ content: Content, in window: MessageWindow) -> ChatScreenMessage? {
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
