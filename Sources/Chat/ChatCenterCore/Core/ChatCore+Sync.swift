import ChatWire

// The history: what was missed, and what is older.
extension ChatCore {
    /// Everything after the cursor is to be fetched.
    mutating func wantGap() {
        guard session.isAuthorized else { return }
        sync.isGapWanted = true
    }

    /// The outcome of a message is to be looked up. A fetch that is under way began too early to tell.
    mutating func lookUp() {
        sync.gap?.isStale = true
        wantGap()
    }

    mutating func settleGap(_ turn: inout Turn) {
        guard isForeground, sync.isGapWanted, sync.gap == nil, sync.retryAt == nil, mayCall else { return }
        sync.isGapWanted = false
        if let rest = sync.rest {
            fetchGap(
                .before(uuid: rest.before), .backward(rest.limit, held: []), count: settings.catchUpPageSize, page: 1,
                &turn)
            return
        }
        switch sync.cursor {
        case nil:
            let count = configuration.historyLoadingCount.value
            fetchGap(.newest, .backward(.onePage, held: []), count: count, page: 1, &turn)
        case "":
            fetchGap(.newest, .backward(.beginning, held: []), count: settings.catchUpPageSize, page: 1, &turn)
        case .some(let uuid) where sync.isCursorForgotten:
            // Where the cursor is further back than what is at hand, a part of what was missed may lie in between.
            let known = window[MessageID(uuid)] ?? (window.storeHasOlder ? nil : window.messages.first)
            let limit = known.map { SyncState.Gap.Limit.time($0.position.time) } ?? .beginning
            fetchGap(.newest, .backward(limit, held: []), count: settings.catchUpPageSize, page: 1, &turn)
        case .some where sync.fillTo != nil:
            let limit = SyncState.Gap.Limit.time(sync.fillTo ?? .min)
            fetchGap(.newest, .backward(limit, held: []), count: settings.catchUpPageSize, page: 1, &turn)
        case .some(let uuid):
            fetchGap(.after(uuid: uuid), .forward, count: settings.catchUpPageSize, page: 1, &turn)
        }
    }

    private mutating func fetchGap(
        _ bound: HistoryRequest.Bound, _ direction: SyncState.Gap.Direction, count: Int, page: Int,
        _ turn: inout Turn
    ) {
        guard let id = call(.history(HistoryRequest(bound, count: Int64(count))), for: .gap, &turn) else { return }
        sync.gap = SyncState.Gap(
            call: id, direction: direction, requested: count, pages: page, isStale: sync.gap?.isStale ?? false)
    }

    mutating func gapArrived(_ answer: HistoryAnswer, _ turn: inout Turn) {
        guard let gap = sync.gap else { return }
        sync.allowedToSend = answer.allowedToSendMessages ?? sync.allowedToSend
        for problem in answer.problems.prefix(5) { turn.log(.error, "history: \(problem)") }
        let isFull = SyncState.mayHaveMore(answer.messages.count, of: gap.requested)
        switch gap.direction {
        case .forward:
            absorb(answer.messages.map { Incoming($0) }, from: .gap(isFirst: false), &turn)
            let moved = moveCursor(to: answer.messages, &turn)
            if isFull, moved, let cursor = sync.cursor {
                if gap.pages < SyncState.gapPages, isForeground {
                    fetchGap(.after(uuid: cursor), .forward, count: gap.requested, page: gap.pages + 1, &turn)
                    return
                }
                wantGap()
            }
        case .backward(let limit, let held):
            let all = answer.messages + held
            if isFull, !limit.isReached(by: answer.messages),
                let first = answer.messages.first(where: { $0.uuid?.isEmpty == false })?.uuid,
                first != sync.rest?.before
            {
                // What is held is nowhere but in memory.
                let isTooLarge = all.reduce(0) { $0 + $1.weight } > MessageWindow.longestInBytes
                guard gap.pages >= SyncState.gapPages || isTooLarge else {
                    fetchGap(
                        .before(uuid: first), .backward(limit, held: all), count: settings.catchUpPageSize,
                        page: gap.pages + 1, &turn)
                    return
                }
                interrupt(all, before: first, limit, &turn)
                noteAgent(answer.agentInfo)
                gapEnded(gap, isCut: true, &turn)
                return
            }
            let rest = sync.rest
            sync.rest = nil
            absorb(all.map { Incoming($0) }, from: .gap(isFirst: limit == .onePage), &turn)
            if sync.isCursorForgotten { turn.emit(.notify(.historyReset)) }
            sync.isCursorForgotten = false
            if let rest {
                // What came at the other end since the first part is asked for now.
                _ = moveCursor(to: rest.cursor, &turn)
                wantGap()
            } else {
                _ = moveCursor(to: all, &turn)
            }
            noteWhole(all, reachesBeginning: !isFull)
            if !isFull, !window.storeHasOlder { sync.isAtBeginning = true }
        }
        noteAgent(answer.agentInfo)
        gapEnded(gap, &turn)
    }

    /// As much as is fetched in a row did not close the hole: they are kept, and the rest follows after a pause.
    private mutating func interrupt(
        _ messages: [Content], before uuid: String, _ limit: SyncState.Gap.Limit, _ turn: inout Turn
    ) {
        absorb(messages.map { Incoming($0) }, from: .gap(isFirst: false), &turn)
        let newest = messages.last { $0.uuid?.isEmpty == false }?.uuid
        sync.rest = SyncState.Rest(before: uuid, limit: limit, cursor: sync.rest.map(\.cursor) ?? newest)
        let since = messages.lazy.compactMap(\.receivedDate).first
        sync.wholeSince = min(since ?? .max, sync.wholeSince ?? .max)
        turn.log(.info, "\(messages.count) messages of the history were fetched, and there are more: after a pause")
        wantGap()
    }

    /// The conversation is without a hole from the first of these on. A socket brings what nobody has confirmed, however
    /// old it is: what lies between is fetched next.
    private mutating func noteWhole(_ messages: [Content], reachesBeginning: Bool) {
        let first = messages.lazy.compactMap(\.receivedDate).first
        let since = reachesBeginning ? .min : min(first ?? .max, sync.wholeSince ?? .max)
        sync.wholeSince = since
        sync.fillTo = nil
        guard let oldest = window.messages.first(where: \.isOnServer)?.position.time, oldest < since else { return }
        fill(to: oldest)
    }

    /// A message of this time is here; between it and what is known there may be more.
    mutating func fill(to time: Int64) {
        guard let since = sync.wholeSince, time < since else { return }
        sync.fillTo = min(sync.fillTo ?? .max, time)
        wantGap()
    }

    /// Who works on the dialog, where the messages at hand do not say so.
    private mutating func noteAgent(_ info: JSONObject?) {
        guard let info, dialog.phase == .active, stage.operatorAtWork == nil, !stage.isLookingForSpecialist else {
            return
        }
        let other = ChatOperator(Operator(info))
        if other.name != nil { stage.operatorAtWork = other }
    }

    /// - Parameter isCut: There is more, and as much as may be fetched without a pause was.
    private mutating func gapEnded(_ gap: SyncState.Gap, isCut: Bool = false, _ turn: inout Turn) {
        sync.gap = nil
        sync.failures = 0
        sync.problem = nil
        sync.hasHistory = true
        if !sync.isGapWanted, sync.filled > 0 {
            turn.emit(.notify(.gapFilled(Int(clamping: sync.filled))))
            sync.filled = 0
        }
        if gap.pages < SyncState.gapPages, !isCut {
            sync.pauses = 0
        } else if sync.isGapWanted {
            pauseGap(&turn)
        }
        if gap.isStale { wantGap() } else if !sync.isGapWanted { resolveUnconfirmed(&turn) }
        perform(session.progressed(history: .some(nil)), &turn)
    }

    private mutating func pauseGap(_ turn: inout Turn) {
        let pause = Backoff.span(after: sync.pauses, base: SyncState.gapPause)
        sync.pauses = min(sync.pauses, 1000) + 1
        sync.retryAt = turn.now.after(milliseconds: pause).monotonic
    }

    /// The conversation is without a hole up to the last of these; false when that is nothing new.
    private mutating func moveCursor(to messages: [Content], _ turn: inout Turn) -> Bool {
        moveCursor(to: messages.last { $0.uuid?.isEmpty == false }?.uuid, &turn)
    }

    private mutating func moveCursor(to last: String?, _ turn: inout Turn) -> Bool {
        guard let user = session.clientID else { return false }
        guard let next = last ?? (sync.cursor == nil ? "" : nil), next != sync.cursor else { return false }
        sync.cursor = next
        turn.save(.cursor(next), of: user)
        return true
    }

    mutating func gapFailed(_ failure: TransportFailure, _ turn: inout Turn) {
        let isStale = sync.gap?.isStale ?? false
        sync.gap = nil
        // Where the rest went on is not there any more: all of it is fetched again, after a pause.
        if failure.isUnknownCursor, sync.rest != nil {
            sync.rest = nil
            wantGap()
            pauseGap(&turn)
            return
        }
        if failure.isUnknownCursor, sync.cursor?.isEmpty == false, !sync.isCursorForgotten {
            sync.isCursorForgotten = true
            turn.log(
                .info, "the server does not know where this history ends; it is fetched anew from the newest message")
            wantGap()
            return
        }
        if isStale { wantGap() }
        sync.failures += 1
        sync.problem = failure
        limitLookUps(&turn)
        perform(session.progressed(history: failure), &turn)
        guard hasUnconfirmed || socket.isReady || stage.visible != nil else { return }
        // A permanent failure is shown, and tried again only because messages would hang on it.
        guard failure.disposition == .transient || hasUnconfirmed else { return }
        wantGap()
        let wait = Backoff.wait(after: sync.failures, base: 1000, entropy: turn.entropy.next())
        let hint = min(max(failure.retryAfterMilliseconds ?? 0, 0), SocketRules.longestHint)
        sync.retryAt = turn.now.after(milliseconds: max(wait, hint, 250)).monotonic
    }

    // MARK: Older messages

    mutating func loadOlder(_ turn: inout Turn) {
        switch sync.older {
        case .idle, .failed: break
        case .store, .server: return
        }
        guard session.isAuthorized, !window.isFull else {
            turn.log(.info, "no older messages are loaded: nobody is authorised, or as many are held as may be")
            return
        }
        let count = configuration.historyLoadingCount.value
        window.makeRoom(count)
        if window.storeHasOlder {
            let query = HistoryQuery(before: window.messages.first?.position, count: count)
            sync.older = .store(query)
            turn.emit(.loadPage(query))
        } else {
            askServerForOlder(count, &turn)
        }
    }

    private mutating func askServerForOlder(_ count: Int, _ turn: inout Turn) {
        guard !sync.isAtBeginning, mayCall else { return }
        guard let oldest = window.messages.first(where: \.isOnServer)?.content.uuid else {
            wantGap()
            return
        }
        let request = HistoryRequest(.before(uuid: oldest), count: Int64(count))
        if let id = call(.history(request), for: .older, &turn) { sync.older = .server(id, requested: count) }
    }

    mutating func pageArrived(
        _ query: HistoryQuery, _ result: Result<HistoryPage, StoreFailure>, _ turn: inout Turn
    ) {
        guard sync.older == .store(query) else { return }
        sync.older = .idle
        switch result {
        case .success(let page):
            window.storeHasOlder = page.hasOlder
            if let first = page.messages.first?.position.time {
                sync.wholeSince = min(sync.wholeSince ?? .max, first)
            }
            for message in page.messages where window[message.id] == nil { window.save(message) }
            window.touch()
            if page.messages.isEmpty { askServerForOlder(query.count, &turn) }
        case .failure(let failure):
            stage.storeProblem = failure
        }
    }

    mutating func olderArrived(_ answer: HistoryAnswer, _ turn: inout Turn) {
        guard case .server(_, let requested) = sync.older else { return }
        sync.older = .idle
        absorb(answer.messages.map { Incoming($0) }, from: .older, &turn)
        if let first = answer.messages.lazy.compactMap(\.receivedDate).first {
            sync.wholeSince = min(sync.wholeSince ?? .max, first)
        }
        if !SyncState.mayHaveMore(answer.messages.count, of: requested) { sync.isAtBeginning = true }
    }

    // MARK: By the user's wish

    mutating func reload(_ turn: inout Turn) {
        guard session.isAuthorized else { return }
        tryAgainSoon(&turn)
        wantGap()
        requestMissingConfiguration(&turn)
        socket.forgetFailures()
    }
}

extension SyncState.Gap.Limit {
    /// Nothing before these is needed.
    func isReached(by page: [Content]) -> Bool {
        switch self {
        case .onePage: true
        case .beginning: false
        case .time(let time): page.contains { ($0.receivedDate ?? .max) <= time }
        }
    }
}

extension StoredMessage {
    /// The server has it under its uuid, so that it can bound a history call.
    var isOnServer: Bool {
        guard content.uuid == id.text else { return false }
        return delivery?.isConfirmed ?? true
    }
}

extension TransportFailure {
    var isUnknownCursor: Bool {
        refusal?.code == WireFailure.unknownCursor.error || status == 404 || status == 410
    }
}
