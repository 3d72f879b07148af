import ChatWire

/// A call for the surroundings of a message.
struct ContextRequest: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        /// The messages after the target.
        case afterTarget
        /// The messages up to the first one after the target. They include the target.
        case throughTarget
        case older
        case newer
    }

    /// A number that distinguishes this request from earlier ones.
    var number: UInt64
    var step: Step
}

/// A state machine for the surroundings of a message: a second window on the history, away from the newest messages.
///
/// It reads the store first. If the store lacks the message, it asks the server for the messages on both sides. These
/// messages are only in memory: in the store, they would look like a history without a gap. The machine performs no I/O
/// itself; its actions request it, and the answers arrive as events.
struct ContextMachine: Hashable, Sendable {
    /// The conditions that the surroundings depend on, at the time of an event.
    struct Conditions: Hashable, Sendable {
        var isAuthorized: Bool
        /// Whether the server can be asked: a route may exist, and the token is not known to be refused.
        var mayAskServer: Bool
        /// The number of messages on one page.
        var pageSize: Int
    }

    private enum End: Hashable, Sendable {
        case idle
        case store(HistoryQuery)
        /// A call with this number is in progress.
        case server(UInt64)
        case atEnd
        case failed(TransportFailure)

        var mayLoad: Bool {
            switch self {
            case .idle, .failed: true
            case .store, .server, .atEnd: false
            }
        }

        var shown: ChatScreenContext.Edge {
            switch self {
            case .idle: .idle
            case .store, .server: .loading
            case .atEnd: .atEnd
            case .failed(let failure): .failed(failure)
            }
        }
    }

    private struct Open: Hashable, Sendable {
        var target: MessageID
        var messages = ContextMessages()
        var older: End
        var newer: End
        var storeHasOlder = false
        /// The messages after the target, until those before it are loaded.
        var held: [StoredMessage] = []
        /// The oldest and the newest UUID that the server sent. Not every content of an answer is shown.
        var oldestUUID: String?
        var newestUUID: String?
    }

    private struct Drawn: Hashable, Sendable {
        var revision: UInt64
        var windowRevision: UInt64
        var drawing: ContextMessages.Drawing
    }

    private var open: Open?
    private var lastNumber: UInt64 = 0
    /// Increases with every change of the messages.
    private var revision: UInt64 = 0
    private var rows: [ChatScreenMessage] = []
    private var drawn: Drawn?
    private var isJoined = false

    /// The surroundings for the screen; `nil` if none are open.
    var shown: ChatScreenContext? {
        open.map { open in
            ChatScreenContext(
                target: open.target, messages: rows, older: open.older.shown,
                newer: isJoined ? .atEnd : open.newer.shown)
        }
    }

    // MARK: The user

    /// Handles a request of the user.
    mutating func handle(_ event: ChatEvent, in window: MessageWindow, _ conditions: Conditions) -> [CoreAction] {
        switch event {
        case .showContext(let target): return show(target, in: window, conditions)
        case .loadOlderContext: return loadOlder(conditions)
        case .loadNewerContext: return loadNewer(in: window, conditions)
        case .closeContext: return close(in: window)
        default: return []
        }
    }

    /// Opens the surroundings of a message. A message that the conversation shows is scrolled to instead.
    private mutating func show(
        _ target: MessageID, in window: MessageWindow, _ conditions: Conditions
    ) -> [CoreAction] {
        guard conditions.isAuthorized else { return [.log(.info, "no message is shown: no user is authorized")] }
        leaveScreen()
        if window[target] != nil { return [.scroll(to: target)] }
        let query = HistoryQuery(.around(target), count: conditions.pageSize)
        open = Open(target: target, older: .store(query), newer: .store(query))
        return [.effect(.loadPage(query))]
    }

    private mutating func loadOlder(_ conditions: Conditions) -> [CoreAction] {
        guard let open, conditions.isAuthorized, open.older.mayLoad else { return [] }
        guard let first = open.messages.first else { return startAgain(conditions) }
        if first.isStored, open.storeHasOlder {
            let query = HistoryQuery(.before(first.message.position), count: conditions.pageSize)
            self.open?.older = .store(query)
            return [.effect(.loadPage(query))]
        }
        return askForOlder(conditions)
    }

    private mutating func loadNewer(in window: MessageWindow, _ conditions: Conditions) -> [CoreAction] {
        guard let open, conditions.isAuthorized, open.newer.mayLoad, !joins(window) else { return [] }
        guard let last = open.messages.last else { return startAgain(conditions) }
        if last.isStored {
            let query = HistoryQuery(.after(last.message.position), count: conditions.pageSize)
            self.open?.newer = .store(query)
            return [.effect(.loadPage(query))]
        }
        return askForNewer(conditions)
    }

    /// Closes the surroundings. If they reach the conversation, the screen scrolls to the message where they meet.
    private mutating func close(in window: MessageWindow) -> [CoreAction] {
        let meeting = joins(window) ? open?.messages.last?.message.id : nil
        leaveScreen()
        return meeting.map { [.scroll(to: $0)] } ?? []
    }

    /// Closes the surroundings, because there is a new screen. Later answers to their requests are ignored.
    mutating func leaveScreen() {
        open = nil
        rows = []
        drawn = nil
        isJoined = false
    }

    /// Tries again after the first messages could not be loaded.
    private mutating func startAgain(_ conditions: Conditions) -> [CoreAction] {
        guard let target = open?.target else { return [] }
        let query = HistoryQuery(.around(target), count: conditions.pageSize)
        open = Open(target: target, older: .store(query), newer: .store(query))
        return [.effect(.loadPage(query))]
    }

    /// Returns whether the newest message is also a message of the conversation. Queued messages do not count: they are
    /// in memory without their neighbors.
    private func joins(_ window: MessageWindow) -> Bool {
        guard let last = open?.messages.last?.message.id, let same = window[last] else { return false }
        return same.delivery?.entry == nil
    }

    // MARK: The store

    /// Handles a page from the store. Pages for other purposes are ignored.
    mutating func loaded(
        _ query: HistoryQuery, _ result: Result<HistoryPage, StoreFailure>, _ conditions: Conditions
    ) -> [CoreAction] {
        guard let open else { return [] }
        let isOlder = open.older == .store(query)
        let isNewer = open.newer == .store(query)
        guard isOlder || isNewer else { return [] }
        switch result {
        case .failure(let failure):
            // The server may still have the message.
            if isOlder, isNewer { return [.storeReadFailed(failure)] + askAroundTarget(conditions) }
            fail(isOlder: isOlder, TransportFailure(.file, errorID: failure.errorID))
            return [.storeReadFailed(failure)]
        case .success(let page) where page.messages.isEmpty:
            if isOlder, isNewer { return askAroundTarget(conditions) }
            return isOlder ? askForOlder(conditions) : askForNewer(conditions)
        case .success(let page):
            if isOlder {
                self.open?.older = .idle
                self.open?.storeHasOlder = page.hasOlder
            }
            if isNewer { self.open?.newer = .idle }
            add(page.messages, isStored: true, atBeginning: isOlder)
            return []
        }
    }

    // MARK: The server

    /// Returns whether the id is the UUID of a message on the server. A message without a UUID has another kind of id,
    /// which a history request cannot refer to.
    private static func isUUID(_ id: MessageID) -> Bool {
        !id.text.isEmpty && !id.text.hasPrefix("server:") && !id.text.hasPrefix("content:")
    }

    private mutating func askAroundTarget(_ conditions: Conditions) -> [CoreAction] {
        guard let target = open?.target else { return [] }
        guard Self.isUUID(target) else {
            return failOpening("the message has no UUID, so the server's history cannot be loaded around it")
        }
        return ask(.after(uuid: target.text), .afterTarget, conditions)
    }

    private mutating func askForOlder(_ conditions: Conditions) -> [CoreAction] {
        guard let open else { return [] }
        guard let uuid = open.oldestUUID ?? open.messages.oldestUUID else {
            self.open?.older = .atEnd
            return []
        }
        return ask(.before(uuid: uuid), .older, conditions)
    }

    private mutating func askForNewer(_ conditions: Conditions) -> [CoreAction] {
        guard let open else { return [] }
        guard let uuid = open.newestUUID ?? open.messages.newestUUID else {
            self.open?.newer = .atEnd
            return []
        }
        return ask(.after(uuid: uuid), .newer, conditions)
    }

    private mutating func ask(
        _ bound: HistoryRequest.Bound, _ step: ContextRequest.Step, _ conditions: Conditions
    ) -> [CoreAction] {
        guard conditions.isAuthorized, conditions.mayAskServer else {
            let failure = TransportFailure(.noConnectivity, explanation: "the server cannot be asked for messages now")
            return end(step, with: failure)
        }
        lastNumber &+= 1
        let request = ContextRequest(number: lastNumber, step: step)
        if step != .newer { open?.older = .server(lastNumber) }
        if step != .older { open?.newer = .server(lastNumber) }
        return [.call(.history(HistoryRequest(bound, count: Int64(conditions.pageSize))), for: .context(request))]
    }

    /// Returns whether the answer to a request is still awaited.
    private func awaits(_ request: ContextRequest) -> Bool {
        let end = request.step == .newer ? open?.newer : open?.older
        return end == .server(request.number)
    }

    /// Handles the server's answer. `messages` are the messages of the answer, oldest first.
    mutating func answered(
        _ request: ContextRequest, _ answer: HistoryAnswer, _ messages: [StoredMessage], _ conditions: Conditions
    ) -> [CoreAction] {
        guard awaits(request), let before = open else { return [] }
        let uuids = answer.messages.lazy.compactMap(\.uuid).filter { !$0.isEmpty }
        let isFull = SyncMachine.mayHaveMore(answer.messages.count, of: conditions.pageSize)
        switch request.step {
        case .afterTarget:
            open?.held = messages
            open?.newestUUID = uuids.last
            return ask(uuids.first.map { .before(uuid: $0) } ?? .newest, .throughTarget, conditions)
        case .throughTarget:
            guard messages.contains(where: { $0.id == before.target }) else {
                return failOpening("the server's history does not contain the message")
            }
            open?.held = []
            open?.oldestUUID = uuids.first
            open?.older = isFull ? .idle : .atEnd
            open?.newer = before.newestUUID == nil ? .atEnd : .idle
            add(messages, isStored: false, atBeginning: true)
            add(before.held, isStored: false, atBeginning: false)
        case .older:
            // A server that repeats its answer would be asked for ever.
            let isNew = uuids.first != nil && uuids.first != before.oldestUUID
            open?.older = isFull && isNew ? .idle : .atEnd
            open?.oldestUUID = uuids.first ?? before.oldestUUID
            add(messages, isStored: false, atBeginning: true)
        case .newer:
            let isNew = uuids.last != nil && uuids.last != before.newestUUID
            open?.newer = isNew ? .idle : .atEnd
            open?.newestUUID = uuids.last ?? before.newestUUID
            add(messages, isStored: false, atBeginning: false)
        }
        return []
    }

    /// Handles a failed call.
    mutating func failed(_ request: ContextRequest, _ failure: TransportFailure) -> [CoreAction] {
        awaits(request) ? end(request.step, with: failure) : []
    }

    private mutating func end(_ step: ContextRequest.Step, with failure: TransportFailure) -> [CoreAction] {
        if step != .newer { fail(isOlder: true, failure) }
        if step != .older { fail(isOlder: false, failure) }
        return []
    }

    private mutating func fail(isOlder: Bool, _ failure: TransportFailure) {
        if isOlder { open?.older = .failed(failure) } else { open?.newer = .failed(failure) }
    }

    private mutating func failOpening(_ reason: String) -> [CoreAction] {
        end(.throughTarget, with: TransportFailure(.other, explanation: reason))
    }

    // MARK: The messages

    /// Adds a page at one end. Messages at the other end may be removed; they can be loaded again.
    private mutating func add(_ messages: [StoredMessage], isStored: Bool, atBeginning: Bool) {
        revision &+= 1
        guard open?.messages.add(messages, isStored: isStored, atBeginning: atBeginning) == true else { return }
        if atBeginning {
            open?.newer = .idle
            open?.newestUUID = nil
        } else {
            open?.older = .idle
            open?.oldestUUID = nil
            open?.storeHasOlder = true
        }
    }

    /// Applies a change of the store to the messages.
    mutating func note(_ change: StoreChange) { if open?.messages.apply(change) == true { revision &+= 1 } }

    /// Draws the rows again if they or the conversation changed.
    mutating func settle(in window: MessageWindow, _ drawing: ContextMessages.Drawing) {
        guard let open else { return }
        isJoined = joins(window)
        let next = Drawn(revision: revision, windowRevision: window.revision, drawing: drawing)
        guard next != drawn else { return }
        drawn = next
        rows = open.messages.rows(in: window, drawing)
    }
}
