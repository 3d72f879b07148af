import ChatWire

/// How the conversation here relates to the one on the server, as a state machine: what was missed is fetched page by page,
/// older messages on request. The messages belong to the window, which comes with each event.
struct SyncMachine: Hashable, Sendable {
    /// What decides whether a fetch that failed is retried.
    struct Demand: Hashable, Sendable {
        /// Messages wait for the history to tell their outcome.
        var hasUnconfirmed: Bool
        /// Somebody looks at the conversation, or a socket is up.
        var isWatched: Bool
    }

    /// A fetch of everything that was missed, page by page.
    fileprivate struct Fetch: Hashable, Sendable {
        /// Which way the pages go.
        enum Direction: Hashable, Sendable {
            /// From the cursor to the newest message.
            case forward
            /// From the newest message back. Pages are held until the last one is here: half of them in the store would
            /// look as if there were no hole.
            case backward(Limit, held: [Content])
        }

        /// How far back the pages go.
        enum Limit: Hashable, Sendable {
            /// One page: nothing was known before.
            case onePage
            /// To the beginning of the conversation: it was empty when it was fetched last.
            case beginning
            /// To this time: the server does not know the cursor any more.
            case time(Int64)

            /// Nothing before these is needed.
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
        /// A message's outcome became unknown after this fetch had begun: it proves nothing about that message.
        var isStale: Bool
    }

    /// Messages that were missed, and what follows once they are taken over.
    struct Page: Hashable, Sendable {
        fileprivate enum Step: Hashable, Sendable {
            case forward
            /// Everything back to the limit is here.
            case whole
            /// As much as is fetched in a row did not close the hole.
            case cut(before: String, Fetch.Limit)
        }

        /// Oldest first.
        var messages: [Content]
        /// Nothing was known before.
        var isFirst: Bool
        fileprivate var step: Step
        fileprivate var fetch: Fetch
        fileprivate var isFull: Bool
        fileprivate var agent: JSONObject?

        /// The uuid of the newest message that has one.
        fileprivate var newest: String? { messages.last { $0.uuid?.isEmpty == false }?.uuid }
        /// The time of the oldest message that has one.
        fileprivate var oldestTime: Int64? { messages.lazy.compactMap(\.receivedDate).first }
    }

    /// What a backward fetch has still to bring after `longestRun`.
    private struct Rest: Hashable, Sendable {
        /// It goes on before the message of this uuid.
        var before: String
        var limit: Fetch.Limit
        /// The newest message of the first part: the cursor, once the rest is here. Till then a restart begins anew,
        /// so that the hole is never taken for closed.
        var cursor: String?
    }

    private enum Older: Hashable, Sendable {
        case idle
        case store(HistoryQuery)
        case server(requested: Int)
        case failed(TransportFailure)
    }

    /// Pages in a row before other work gets its turn.
    static let longestRun = 50
    /// Milliseconds after so many pages in a row, twice as long each time that more follow: a server of which the history
    /// never ends does not keep the device busy.
    static let pause: Int64 = 500

    /// The number of messages that one request for missed messages asks for.
    private let pageSize: Int
    /// The uuid of the message up to which the conversation here is without a hole; empty when it was empty, `nil`
    /// when it was never fetched.
    private var cursor: String?
    /// The time of the message since which the conversation here is without a hole; `nil` when it was never fetched.
    private var wholeSince: Int64?
    /// A message of this time is here that lies before a hole: the history is to be fetched back to it.
    private var fillTo: Int64?
    /// The server does not know the message that the cursor names.
    private var isCursorForgotten = false
    /// Everything that was missed is to be fetched.
    private var isWanted = false
    private var fetch: Fetch?
    private var rest: Rest?
    private var failures = 0
    /// How often in a row a fetch came to `longestRun` without an end.
    private var pauses = 0
    /// Messages that the fetch has brought so far.
    private var filled: Int64 = 0
    /// A failed fetch is tried again then, on the monotonic clock.
    private(set) var wake: Int64?
    private var older = Older.idle
    /// The server has nothing before the oldest message here.
    private var isAtBeginning = false
    /// What the last history answer said.
    private(set) var allowedToSend = true
    /// The error of the last fetch, if it failed.
    private(set) var problem: TransportFailure?
    /// The history was asked for since the user was authorized, with an answer.
    private(set) var hasHistory = false

    init(pageSize: Int) {
        self.pageSize = pageSize
    }

    // MARK: Looking

    /// Something was missed and is not here yet, as far as is known.
    var isBehind: Bool { isWanted || fetch != nil }

    /// The last fetch failed.
    var isFailing: Bool { failures > 0 }

    /// What the screen says about older messages.
    func paging(_ window: MessageWindow) -> ChatScreenState.Paging {
        switch older {
        case .store, .server: .loading
        case .failed(let failure): .failed(failure)
        case .idle: isAtBeginning && !window.storeHasOlder ? .atBeginning : .idle
        }
    }

    /// Whether more may follow a page. A server may give less than it was asked for, but not less than the documented
    /// page of 30 if there is more.
    private static func mayHaveMore(_ count: Int, of requested: Int) -> Bool {
        count >= min(requested, ChatLocalSettings.standard.historyLoadingCount)
    }

    // MARK: Users

    /// Takes over what a store gave back for the user who is authorized now.
    mutating func restore(cursor: String?, _ window: MessageWindow) {
        forgetUser()
        self.cursor = cursor
        if cursor != nil { wholeSince = window.messages.first?.position.time ?? .max }
    }

    /// Nothing of the user stays.
    mutating func forgetUser() { self = SyncMachine(pageSize: pageSize) }

    /// The calls that are under way were cancelled.
    mutating func cancelled() {
        fetch = nil
        older = .idle
    }

    // MARK: What was missed

    /// Everything after the cursor is to be fetched.
    mutating func want() { isWanted = true }

    /// The outcome of a message is to be looked up. A fetch that is under way began too early to tell.
    mutating func lookUp() {
        fetch?.isStale = true
        isWanted = true
    }

    /// A message of this time is here; between it and what is known there may be more.
    mutating func fill(to time: Int64) {
        guard let wholeSince, time < wholeSince else { return }
        fillTo = min(fillTo ?? .max, time)
        isWanted = true
    }

    /// Ends the wait between attempts: the circumstances are better now.
    mutating func retryNow() { wake = nil }

    /// Does what is due.
    mutating func expire(at now: Moment) {
        if let wake, wake <= now.monotonic { self.wake = nil }
    }

    /// Begins a fetch if one is wanted and none is under way. `firstPage` is the size of a page where nothing is known.
    mutating func settle(_ window: MessageWindow, firstPage: Int) -> [CoreAction] {
        guard isWanted, fetch == nil, wake == nil else { return [] }
        isWanted = false
        if let rest { return begin(.before(uuid: rest.before), .backward(rest.limit, held: [])) }
        switch cursor {
        case nil: return begin(.newest, .backward(.onePage, held: []), count: firstPage)
        case "": return begin(.newest, .backward(.beginning, held: []))
        case .some(let uuid) where isCursorForgotten:
            // Where the cursor is further back than what is at hand, a part of what was missed may lie in between.
            let known = window[MessageID(uuid)] ?? (window.storeHasOlder ? nil : window.messages.first)
            return begin(.newest, .backward(known.map { .time($0.position.time) } ?? .beginning, held: []))
        case .some where fillTo != nil: return begin(.newest, .backward(.time(fillTo ?? .min), held: []))
        case .some(let uuid): return begin(.after(uuid: uuid), .forward)
        }
    }

    private mutating func begin(
        _ bound: HistoryRequest.Bound, _ direction: Fetch.Direction, count: Int? = nil
    ) -> [CoreAction] {
        let count = count ?? pageSize
        fetch = Fetch(direction: direction, requested: count, pages: 1, isStale: false)
        return [.call(.history(HistoryRequest(bound, count: Int64(count))), for: .gap)]
    }

    /// A page is here, and the next one follows at once.
    private mutating func goOn(
        _ past: Fetch, _ bound: HistoryRequest.Bound, _ direction: Fetch.Direction, count: Int
    ) -> [CoreAction] {
        fetch = Fetch(
            direction: direction, requested: count, pages: past.pages + 1, isStale: fetch?.isStale ?? false)
        return [.call(.history(HistoryRequest(bound, count: Int64(count))), for: .gap)]
    }

    /// The server answered.
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
            // What is held is nowhere but in memory.
            let isTooLarge = page.messages.reduce(0) { $0 + $1.weight } > MessageWindow.longestInBytes
            guard fetch.pages >= Self.longestRun || isTooLarge else {
                return logs
                    + goOn(fetch, .before(uuid: first), .backward(limit, held: page.messages), count: pageSize)
            }
            page.step = .cut(before: first, limit)
        } else {
            page.isFirst = limit == .onePage
            page.step = .whole
        }
        return logs + [.absorb(page)]
    }

    /// Messages of a page that nobody knew.
    mutating func absorbedNews(_ count: Int) { filled = filled.saturatingAdd(Int64(count)) }

    /// The page is taken over.
    mutating func absorbed(_ page: Page, in window: MessageWindow, isForeground: Bool, at now: Moment) -> [CoreAction] {
        var actions: [CoreAction] = []
        var isCut = false
        switch page.step {
        case .forward:
            let moved = moveCursor(to: page.newest)
            actions += moved
            if page.isFull, !moved.isEmpty, let cursor {
                if page.fetch.pages < Self.longestRun, isForeground {
                    return actions
                        + goOn(page.fetch, .after(uuid: cursor), .forward, count: page.fetch.requested)
                }
                isWanted = true
            }
        case .cut(let uuid, let limit):
            // They are kept, and the rest follows after a pause.
            rest = Rest(before: uuid, limit: limit, cursor: rest.map(\.cursor) ?? page.newest)
            wholeSince = min(page.oldestTime ?? .max, wholeSince ?? .max)
            actions.append(
                .log(
                    .info,
                    "\(page.messages.count) messages of the history were fetched, and there are more: after a pause"))
            isWanted = true
            isCut = true
        case .whole:
            if isCursorForgotten { actions.append(.notify(.historyReset)) }
            isCursorForgotten = false
            if let rest {
                self.rest = nil
                // What came at the other end since the first part is asked for now.
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

    /// The conversation is without a hole from the first of these on. A socket brings what nobody has confirmed, however
    /// old it is: what lies between is fetched next.
    private mutating func noteWhole(_ page: Page, _ window: MessageWindow) {
        let since = page.isFull ? min(page.oldestTime ?? .max, wholeSince ?? .max) : .min
        wholeSince = since
        fillTo = nil
        guard let oldest = window.messages.first(where: \.isOnServer)?.position.time, oldest < since else { return }
        fill(to: oldest)
    }

    /// - Parameter isCut: There is more, and as much as may be fetched without a pause was.
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
        return actions + [.ended(nil)]
    }

    private mutating func beginPause(_ now: Moment) {
        let wait = RetryDelay.span(after: pauses, base: Self.pause)
        pauses = min(pauses, 1000) + 1
        wake = now.after(milliseconds: wait).monotonic
    }

    /// The conversation is without a hole up to this message; no action when that is nothing new.
    private mutating func moveCursor(to last: String?) -> [CoreAction] {
        guard let next = last ?? (cursor == nil ? "" : nil), next != cursor else { return [] }
        cursor = next
        return [.save(.cursor(next))]
    }

    /// The server refused the token of the call, which is made again with the next one.
    mutating func tokenRefused() {
        fetch = nil
        isWanted = true
    }

    /// The call failed.
    mutating func failed(
        _ failure: TransportFailure, _ demand: Demand, at now: Moment, entropy: inout EntropySource
    ) -> [CoreAction] {
        let isStale = fetch?.isStale ?? false
        fetch = nil
        // Where the rest went on is not there any more: all of it is fetched again, after a pause.
        if failure.isUnknownCursor, rest != nil {
            rest = nil
            isWanted = true
            beginPause(now)
            return []
        }
        if failure.isUnknownCursor, cursor?.isEmpty == false, !isCursorForgotten {
            isCursorForgotten = true
            isWanted = true
            return [
                .log(
                    .info,
                    "the server does not know where this history ends; it is fetched anew from the newest message")
            ]
        }
        if isStale { isWanted = true }
        failures += 1
        problem = failure
        // A permanent failure is shown, and tried again only because messages would hang on it.
        if demand.hasUnconfirmed || (demand.isWatched && failure.disposition == .transient) {
            isWanted = true
            let wait = RetryDelay.wait(after: failures, base: 1000, entropy: entropy.next())
            let hint = min(max(failure.retryAfterMilliseconds ?? 0, 0), SocketRules.longestHint)
            wake = now.after(milliseconds: max(wait, hint, 250)).monotonic
        }
        return [.limitLookUps, .ended(failure)]
    }

    // MARK: Older messages

    /// The user goes back: older messages come from the store as long as it has some, then from the server.
    mutating func loadOlder(
        _ count: Int, _ window: inout MessageWindow, isAuthorized: Bool, mayCall: Bool
    ) -> [CoreAction] {
        switch older {
        case .idle, .failed: break
        case .store, .server: return []
        }
        guard isAuthorized, !window.isFull else {
            return [.log(.info, "no older messages are loaded: nobody is authorised, or as many are held as may be")]
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

    /// The store answered.
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

    /// The server answered the call for older messages.
    mutating func olderArrived(_ answer: HistoryAnswer) -> [CoreAction] {
        guard case .server(let requested) = older else { return [] }
        older = .idle
        if let first = answer.messages.lazy.compactMap(\.receivedDate).first {
            wholeSince = min(wholeSince ?? .max, first)
        }
        if !Self.mayHaveMore(answer.messages.count, of: requested) { isAtBeginning = true }
        return [.absorbOlder(answer.messages)]
    }

    /// The call for older messages failed.
    mutating func olderFailed(_ failure: TransportFailure) { older = .failed(failure) }
}

extension StoredMessage {
    /// The server has it under its uuid, so that it can bound a history call.
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
