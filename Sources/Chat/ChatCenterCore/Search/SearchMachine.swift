import ChatWire

/// A search under way: who asked, for what, and why the server is not asked any more.
struct SearchRequest: Hashable, Sendable {
    enum Asker: Hashable, Sendable {
        case ticket(Ticket)
        /// The search on the screen with this number.
        case screen(UInt64)
    }

    var asker: Asker
    var text: String
    var page: Int64
    /// What the server's answer was, when the store is asked instead.
    var failure: TransportFailure?
}

/// The search as a state machine: the server's, and the store's where the server cannot be asked or does not answer. It
/// makes no call and reads no store: its actions say what is to be asked, and the answers come back as events.
struct SearchMachine: Hashable, Sendable {
    /// What a search depends on, as it is at the moment of the event.
    struct Conditions: Hashable, Sendable {
        var isAuthorized: Bool
        var isEnabled: Bool
        /// There may be a route, and the token is not known to be refused.
        var mayAskServer: Bool
        /// Messages on one page of results.
        var pageSize: Int
    }

    /// The search on the screen.
    private struct OnScreen: Hashable, Sendable {
        /// Told apart from searches for other words before it.
        var number: UInt64
        var text: String
        /// The call begins then, on the monotonic clock: not for each letter.
        var startAt: Int64?
        /// An answer is awaited for this page.
        var awaitedPage: Int64?
        var nextPage: Int64 = 0
        var results: [ChatScreenMessage] = []
        var total = 0
        var hasMore = false
        /// The results are those of the store alone.
        var isLocal = false
        /// Why the server did not answer.
        var failure: TransportFailure?
    }

    /// Milliseconds of silence before the words are looked for.
    static let pause: Int64 = 300
    /// More results are not held.
    static let longestList = 1000
    /// Nobody looks further; also what keeps the limit of the store's query a number.
    static let lastPage: Int64 = 10_000

    private var onScreen: OnScreen?
    /// Searches that the store is asked to answer.
    private var storeRequests: [SearchRequest] = []

    /// The search as the screen shows it; `nil` while nothing is looked for.
    var shown: ChatScreenSearch? {
        onScreen.map { search in
            ChatScreenSearch(
                text: search.text, isSearching: search.startAt != nil || search.awaitedPage != nil,
                results: search.results, total: search.total, hasMore: search.hasMore, isLocal: search.isLocal,
                failure: search.failure)
        }
    }

    /// When `expire` has something to do, on the monotonic clock.
    var wake: Int64? { onScreen?.startAt }

    // MARK: Wishes

    /// The host application searches.
    mutating func search(_ ticket: Ticket, _ query: String, page: Int64, _ conditions: Conditions) -> [CoreAction] {
        let page = min(max(0, page), Self.lastPage)
        return start(SearchRequest(asker: .ticket(ticket), text: query, page: page), conditions)
    }

    /// The user changed the words on the screen. The search begins when nothing more is typed for a while.
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

    /// The user wants the next page of results.
    mutating func more(_ conditions: Conditions) -> [CoreAction] {
        guard let search = onScreen, search.hasMore, search.awaitedPage == nil, search.startAt == nil else { return [] }
        return askForResults(conditions)
    }

    /// There is a new screen, which does not search.
    mutating func leaveScreen() { onScreen = nil }

    /// Does what is due: the user has stopped typing.
    mutating func expire(at now: Moment, _ conditions: Conditions) -> [CoreAction] {
        guard let startAt = onScreen?.startAt, startAt <= now.monotonic else { return [] }
        onScreen?.startAt = nil
        return askForResults(conditions)
    }

    // MARK: Answers

    mutating func answered(_ request: SearchRequest, _ answer: SearchAnswer, in window: MessageWindow) -> [CoreAction] {
        end(request, .success(answer), isLocal: false, in: window)
    }

    /// The server could not answer: what this device holds is searched.
    mutating func failed(_ request: SearchRequest, _ failure: TransportFailure, _ conditions: Conditions)
        -> [CoreAction]
    {
        var request = request
        request.failure = failure
        return askStore(request, conditions)
    }

    /// The call of this search was cancelled, because another token or another user takes over.
    mutating func cancelled(_ request: SearchRequest) -> [CoreAction] {
        end(request, .failure(.superseded), isLocal: false)
    }

    /// What the store is asked was asked in the name of a token or a user that another one takes over from.
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

    // MARK: Asking

    private mutating func start(_ request: SearchRequest, _ conditions: Conditions) -> [CoreAction] {
        guard conditions.isAuthorized else { return end(request, .failure(.notAuthorized), isLocal: false) }
        guard conditions.isEnabled else { return end(request, .failure(.disabled), isLocal: false) }
        guard request.text.contains(where: { !$0.isWhitespace }) else {
            let nothing = SearchAnswer(total: 0, pages: 0, content: [], page: nil)
            return end(request, .success(nothing), isLocal: false)
        }
        // A network that is known to be gone, or a token that is known to be refused: the server is not bothered.
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

    /// Everything up to the end of the page, and one hit more, to know whether there is another page.
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
            // Pages of the server and of the store do not fit together.
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

    /// A message that was found, as a row without buttons.
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
