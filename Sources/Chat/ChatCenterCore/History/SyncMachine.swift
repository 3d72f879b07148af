import ChatWire

/// A state machine that synchronizes the conversation with the server. It loads missed messages page by page, and older
/// messages on request. The window owns the messages; each method receives it.
struct SyncMachine: Hashable, Sendable {
    /// The conditions for retrying a failed history request.
    struct Demand: Hashable, Sendable {
        /// Whether the outcome of messages depends on the history.
        var hasUnconfirmed: Bool
        /// Whether the screen is visible or a socket is ready.
        var isWatched: Bool
    }

    /// An operation that loads all missed messages, page by page.
    fileprivate struct Fetch: Hashable, Sendable {
        /// The direction in which pages are loaded.
        enum Direction: Hashable, Sendable {
            /// From the cursor to the newest message.
            case forward
            /// From the newest message backward. Pages are kept in memory until the last one is loaded, because a part
            /// of them in the store would look like a history without a gap.
            case backward(Limit, held: [Content])
        }

        /// The point at which loading backward stops.
        enum Limit: Hashable, Sendable {
            /// After one page, because no history was known before.
            case onePage
            /// At the beginning of the conversation, because it was empty when it was last loaded.
            case beginning
            /// At this time, because the server does not recognize the cursor any more.
            case time(Int64)

            /// Returns whether the page reaches the limit.
            func isReached(by page: [Content]) -> Bool {
                switch self {
                case .onePage: true
                case .beginning: false
                case .time(let time): page.contains { ($0.receivedDate ?? .max) <= time }
                }
            }
        }

        var direction: Direction
        var requested: Int
        var pages: Int
        /// Whether a message became unconfirmed after this operation started. The result then says nothing about that
        /// message.
        var isStale: Bool
    }

    /// A page of missed messages, and the next step after it is merged.
    struct Page: Hashable, Sendable {
        fileprivate enum Step: Hashable, Sendable {
            case forward
            /// All messages back to the limit are loaded.
            case whole
            /// The largest number of consecutive pages did not close the gap.
            case cut(before: String, Fetch.Limit)
        }

        /// The messages, oldest first.
        var messages: [Content]
        /// Whether no history was known before.
        var isFirst: Bool
        fileprivate var step: Step
        fileprivate var fetch: Fetch
        fileprivate var isFull: Bool
        fileprivate var agent: JSONObject?

        /// The UUID of the newest message that has one.
        fileprivate var newest: String? { messages.last { $0.uuid?.isEmpty == false }?.uuid }
        /// The time of the oldest message that has one.
        fileprivate var oldestTime: Int64? { messages.lazy.compactMap(\.receivedDate).first }
    }

    /// The part of a backward load that is still missing after `longestRun` pages.
    private struct Rest: Hashable, Sendable {
        /// The load continues before the message with this UUID.
        var before: String
        var limit: Fetch.Limit
        /// The newest message of the first part. It becomes the cursor when the rest is loaded. A restart before that
        /// begins again, so that the gap is never considered closed.
        var cursor: String?
    }

    private enum Older: Hashable, Sendable {
        case idle
        case store(HistoryQuery)
        case server(requested: Int)
        case failed(TransportFailure)
    }

    /// The largest number of consecutive pages before a pause.
    static let longestRun = 50
    /// The pause after that number of consecutive pages, in milliseconds. It doubles each time that more pages follow,
    /// so that a server with an endless history does not keep the device busy.
    static let pause: Int64 = 500

    /// The number of messages that one request for missed messages asks for.
    private let pageSize: Int
    /// The UUID of the message up to which the stored history has no gap. Empty if the conversation was empty; `nil` if
    /// it was never loaded.
    private var cursor: String?
    /// The time of the message from which the history has no gap; `nil` if it was never loaded.
    private var wholeSince: Int64?
    /// The time of a message before a gap. The history must be loaded back to it.
    private var fillTo: Int64?
    /// Whether the server does not recognize the cursor.
    private var isCursorForgotten = false
    /// Whether missed messages must be loaded.
    private var isWanted = false
    private var fetch: Fetch?
    private var rest: Rest?
    private var failures = 0
    /// The number of consecutive loads that reached `longestRun` without an end.
    private var pauses = 0
    /// The number of new messages that were loaded so far.
    private var filled: Int64 = 0
    /// The time of the next attempt after a failure or a pause, on the monotonic clock.
    private(set) var wake: Int64?
    private var older = Older.idle
    /// The requests of the host application.
    private var fetches = FetchRequests()
    /// Whether the server has no messages before the oldest one in memory.
    private var isAtBeginning = false
    /// Whether the last history answer allows the client to send messages.
    private(set) var allowedToSend = true
    /// The error of the last load, if it failed.
    private(set) var problem: TransportFailure?
    /// Whether the history was loaded since the user was authorized.
    private(set) var hasHistory = false

    init(pageSize: Int) {
        self.pageSize = pageSize
    }

    // MARK: Looking

    /// Whether missed messages are still to be loaded, as far as is known.
    var isBehind: Bool { isWanted || fetch != nil }

    /// Whether the host application waits for missed messages, also in the background.
    var isFetching: Bool { fetches.isActive }

    /// Whether the last load failed.
    var isFailing: Bool { failures > 0 }

    /// Returns the state of loading older messages for the screen.
    func paging(_ window: MessageWindow) -> ChatScreenState.Paging {
        let isComplete = isAtBeginning && !window.storeHasOlder
        return switch older {
        case .store, .server: .loading
        // The fetch of missed messages may have reached the beginning after the failure.
        case .failed(let failure): isComplete ? .atBeginning : .failed(failure)
        case .idle: isComplete ? .atBeginning : .idle
        }
    }

    /// Returns whether more messages may follow a page. A server may return fewer messages than requested, but not
    /// fewer than the documented page size of 30 if there are more.
    static func mayHaveMore(_ count: Int, of requested: Int) -> Bool {
        count >= min(requested, ChatLocalSettings.standard.historyLoadingCount)
    }

    // MARK: Users

    /// Restores the stored state of the user who is now authorized.
    mutating func restore(cursor: String?, _ window: MessageWindow) {
        forgetUser()
        self.cursor = cursor
        if cursor != nil { wholeSince = window.messages.first?.position.time ?? .max }
    }

    /// Deletes the user's state.
    mutating func forgetUser() { self = SyncMachine(pageSize: pageSize) }

    /// Records that the pending calls were cancelled.
    mutating func cancelled() -> [CoreAction] {
        fetch = nil
        older = .idle
        return fetches.fail(.superseded)
    }

    // MARK: Missed messages

    /// Requests all messages after the cursor.
    mutating func want() { isWanted = true }

    /// Loads missed messages for the host application, also in the background. A wait after a failure ends.
    mutating func ask(_ ticket: Ticket, isAuthorized: Bool) -> [CoreAction] {
        guard isAuthorized else { return fetches.ask(ticket, isAuthorized: false) }
        isWanted = true
        wake = nil
        return fetches.ask(ticket, isAuthorized: true)
    }

    /// Ends the requests of the host application, because the token was refused and no other one is expected.
    mutating func cannotFetch() -> [CoreAction] { fetches.fail(.notAuthorized) }

    /// Requests the history to check the outcome of a message. A load that is already in progress started too early for
    /// this.
    mutating func lookUp() {
        fetch?.isStale = true
        isWanted = true
    }

    /// Records that a message of this time arrived. There may be missed messages between it and the loaded history.
    mutating func fill(to time: Int64) {
        guard let wholeSince, time < wholeSince else { return }
        fillTo = min(fillTo ?? .max, time)
        isWanted = true
    }

    /// Ends the wait between attempts, because the conditions improved.
    mutating func retryNow() { wake = nil }

    /// Ends an expired wait.
    mutating func expire(at now: Moment) {
        if let wake, wake <= now.monotonic { self.wake = nil }
    }

    /// Starts a load if one is needed and none is in progress. `firstPage` is the page size if no history is known.
    mutating func settle(_ window: MessageWindow, firstPage: Int) -> [CoreAction] {
        guard isWanted, fetch == nil, wake == nil else { return [] }
        isWanted = false
        if let rest { return begin(.before(uuid: rest.before), .backward(rest.limit, held: [])) }
        switch cursor {
        case nil: return begin(.newest, .backward(.onePage, held: []), count: firstPage)
        case "": return begin(.newest, .backward(.beginning, held: []))
        case .some(let uuid) where isCursorForgotten:
            // If the cursor is older than the messages in memory, some missed messages may lie between them.
            let known = window[MessageID(uuid)] ?? (window.storeHasOlder ? nil : window.messages.first)
            return begin(.newest, .backward(known.map { .time($0.position.time) } ?? .beginning, held: []))
        case .some where fillTo != nil: return begin(.newest, .backward(.time(fillTo ?? .min), held: []))
        case .some(let uuid): return begin(.after(uuid: uuid), .forward)
        }
    }

    /// Requests the first page, or the page after another one without a pause.
    private mutating func begin(
        _ bound: HistoryRequest.Bound, _ direction: Fetch.Direction, count: Int? = nil, after past: Fetch? = nil
    ) -> [CoreAction] {
        let count = count ?? pageSize
        fetch = Fetch(
            direction: direction, requested: count, pages: (past?.pages ?? 0) + 1, isStale: fetch?.isStale ?? false)
        return [.call(.history(HistoryRequest(bound, count: Int64(count))), for: .gap)]
    }

    /// Handles the server's answer.
    mutating func arrived(_ answer: HistoryAnswer) -> [CoreAction] {
        guard let fetch else { return [] }
        allowedToSend = answer.allowedToSendMessages ?? allowedToSend
        let logs = answer.problems.prefix(5).map { CoreAction.log(.error, "history: \($0)") }
        let isFull = Self.mayHaveMore(answer.messages.count, of: fetch.requested)
        var page = Page(
            messages: answer.messages, isFirst: false, step: .forward, fetch: fetch, isFull: isFull,
            agent: answer.agentInfo)
        guard case .backward(let limit, let held) = fetch.direction else { return logs + [.absorb(page)] }
        page.messages = answer.messages + held
        if isFull, !limit.isReached(by: answer.messages),
            let first = answer.messages.first(where: { $0.uuid?.isEmpty == false })?.uuid, first != rest?.before
        {
            // The pages of a backward load are only in memory, so their size is limited.
            let isTooLarge = page.messages.reduce(0) { $0 + $1.weight } > MessageWindow.longestInBytes
            guard fetch.pages >= Self.longestRun || isTooLarge else {
                return logs
                    + begin(.before(uuid: first), .backward(limit, held: page.messages), after: fetch)
            }
            page.step = .cut(before: first, limit)
        } else {
            page.isFirst = limit == .onePage
            page.step = .whole
        }
        return logs + [.absorb(page)]
    }

    /// Counts new messages of a page.
    mutating func absorbedNews(_ count: Int) {
        filled = filled.saturatingAdd(Int64(count))
        fetches.note(count)
    }

    /// Continues after a page was merged.
    mutating func absorbed(_ page: Page, in window: MessageWindow, isForeground: Bool, at now: Moment) -> [CoreAction] {
        var actions: [CoreAction] = []
        var isCut = false
        switch page.step {
        case .forward:
            let moved = moveCursor(to: page.newest)
            actions += moved
            if page.isFull, !moved.isEmpty, let cursor {
                if page.fetch.pages < Self.longestRun, isForeground || fetches.isActive {
                    return actions
                        + begin(.after(uuid: cursor), .forward, count: page.fetch.requested, after: page.fetch)
                }
                isWanted = true
            }
        case .cut(let uuid, let limit):
            // The messages are kept, and the rest follows after a pause.
            rest = Rest(before: uuid, limit: limit, cursor: rest.map(\.cursor) ?? page.newest)
            wholeSince = min(page.oldestTime ?? .max, wholeSince ?? .max)
            actions.append(
                .log(
                    .info,
                    "fetched \(page.messages.count) messages of the history; the rest follows after a pause"))
            isWanted = true
            isCut = true
        case .whole:
            if isCursorForgotten { actions.append(.notify(.historyReset)) }
            isCursorForgotten = false
            if let rest {
                self.rest = nil
                // Messages that arrived after the first part are requested now.
                actions += moveCursor(to: rest.cursor)
                isWanted = true
            } else {
                actions += moveCursor(to: page.newest)
            }
            noteWhole(page, window)
            if !page.isFull, !window.storeHasOlder { isAtBeginning = true }
        }
        if let agent = page.agent { actions.append(.noteAgent(agent)) }
        return actions + end(page.fetch, isCut: isCut, now)
    }

    /// Records that the history has no gap from the first of these messages on. A socket delivers unacknowledged
    /// messages of any age, so the messages between an older one and this page are loaded next.
    private mutating func noteWhole(_ page: Page, _ window: MessageWindow) {
        let since = page.isFull ? min(page.oldestTime ?? .max, wholeSince ?? .max) : .min
        wholeSince = since
        fillTo = nil
        guard let oldest = window.messages.first(where: \.isOnServer)?.position.time, oldest < since else { return }
        fill(to: oldest)
    }

    /// Ends a load.
    ///
    /// - Parameter isCut: Whether more pages exist, but the largest number of consecutive pages was reached.
    private mutating func end(_ past: Fetch, isCut: Bool, _ now: Moment) -> [CoreAction] {
        var actions: [CoreAction] = []
        fetch = nil
        failures = 0
        problem = nil
        hasHistory = true
        if !isWanted, filled > 0 {
            actions.append(.notify(.gapFilled(Int(clamping: filled))))
            filled = 0
        }
        if past.pages < Self.longestRun, !isCut {
            pauses = 0
        } else if isWanted {
            beginPause(now)
        }
        if past.isStale { isWanted = true } else if !isWanted { actions.append(.resolveUnconfirmed) }
        // A load that is wanted at once continues the request of the host application. No pause ends in the background.
        if !isWanted || wake != nil { actions += fetches.succeed() }
        return actions + [.ended(nil)]
    }

    private mutating func beginPause(_ now: Moment) {
        let wait = RetryDelay.span(after: pauses, base: Self.pause)
        pauses = min(pauses, 1000) + 1
        wake = now.after(milliseconds: wait).monotonic
    }

    /// Moves the cursor to this message. Returns no action if the cursor does not change.
    private mutating func moveCursor(to last: String?) -> [CoreAction] {
        guard let next = last ?? (cursor == nil ? "" : nil), next != cursor else { return [] }
        cursor = next
        return [.save(.cursor(next))]
    }

    /// Handles the refusal of the call's token. The call is repeated with the next token.
    mutating func tokenRefused() {
        fetch = nil
        isWanted = true
    }

    /// Handles a failed call.
    mutating func failed(
        _ failure: TransportFailure, _ demand: Demand, at now: Moment, entropy: inout EntropySource
    ) -> [CoreAction] {
        let isStale = fetch?.isStale ?? false
        fetch = nil
        // The server no longer recognizes the message where the rest begins. All of it is loaded again after a pause.
        if failure.isUnknownCursor, rest != nil {
            rest = nil
            isWanted = true
            beginPause(now)
            return fetches.fail(.transport(failure))
        }
        if failure.isUnknownCursor, cursor?.isEmpty == false, !isCursorForgotten {
            isCursorForgotten = true
            isWanted = true
            return [
                .log(
                    .info,
                    "the server does not recognize the end of the local history; reloading from the newest message")
            ]
        }
        if isStale { isWanted = true }
        failures += 1
        problem = failure
        // A permanent failure is shown. It is retried only if messages depend on the history.
        if demand.hasUnconfirmed || (demand.isWatched && failure.disposition == .transient) {
            isWanted = true
            let wait = RetryDelay.wait(after: failures, base: 1000, entropy: entropy.next())
            let hint = min(max(failure.retryAfterMilliseconds ?? 0, 0), SocketRules.longestHint)
            wake = now.after(milliseconds: max(wait, hint, 250)).monotonic
        }
        return fetches.fail(.transport(failure)) + [.limitLookUps, .ended(failure)]
    }

    // MARK: Older messages

    /// Loads older messages, first from the store and then from the server.
    mutating func loadOlder(
        _ count: Int, _ window: inout MessageWindow, isAuthorized: Bool, mayCall: Bool
    ) -> [CoreAction] {
        switch older {
        case .idle, .failed: break
        case .store, .server: return []
        }
        guard isAuthorized, !window.isFull else {
            return [.log(.info, "no older messages are loaded: no user is authorized, or the limit is reached")]
        }
        window.makeRoom(count)
        guard window.storeHasOlder else { return fetchOlder(count, window, mayCall: mayCall) }
        let query = HistoryQuery(before: window.messages.first?.position, count: count)
        older = .store(query)
        return [.effect(.loadPage(query))]
    }

    private mutating func fetchOlder(_ count: Int, _ window: MessageWindow, mayCall: Bool) -> [CoreAction] {
        guard !isAtBeginning, mayCall else { return [] }
        guard let oldest = window.messages.first(where: \.isOnServer)?.content.uuid else {
            isWanted = true
            return []
        }
        older = .server(requested: count)
        return [.call(.history(HistoryRequest(.before(uuid: oldest), count: Int64(count))), for: .older)]
    }

    /// Handles the answer of the store.
    mutating func loaded(
        _ query: HistoryQuery, _ result: Result<HistoryPage, StoreFailure>, _ window: inout MessageWindow,
        mayCall: Bool
    ) -> [CoreAction] {
        guard older == .store(query) else { return [] }
        older = .idle
        switch result {
        case .success(let page):
            window.storeHasOlder = page.hasOlder
            if let first = page.messages.first?.position.time { wholeSince = min(wholeSince ?? .max, first) }
            for message in page.messages where window[message.id] == nil { window.save(message) }
            window.touch()
            return page.messages.isEmpty ? fetchOlder(query.count, window, mayCall: mayCall) : []
        case .failure(let failure): return [.storeReadFailed(failure)]
        }
    }

    /// Handles the server's answer to a request for older messages.
    mutating func olderArrived(_ answer: HistoryAnswer) -> [CoreAction] {
        guard case .server(let requested) = older else { return [] }
        older = .idle
        if let first = answer.messages.lazy.compactMap(\.receivedDate).first {
            wholeSince = min(wholeSince ?? .max, first)
        }
        if !Self.mayHaveMore(answer.messages.count, of: requested) { isAtBeginning = true }
        return [.absorbOlder(answer.messages)]
    }

    /// Handles a failed request for older messages.
    mutating func olderFailed(_ failure: TransportFailure) { older = .failed(failure) }
}

extension StoredMessage {
    /// Whether the server has the message under its UUID, so that a history request can refer to it.
    var isOnServer: Bool {
        guard content.uuid == id.text else { return false }
        return delivery?.isConfirmed ?? true
    }
}

extension TransportFailure {
    fileprivate var isUnknownCursor: Bool {
        refusal?.code == ErrorAnswer.unknownCursor.error || status == 404 || status == 410
    }
}
