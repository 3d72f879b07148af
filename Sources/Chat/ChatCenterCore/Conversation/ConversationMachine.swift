import ChatWire

/// A state machine for the conversation of the authorized user. It combines the machines that share its messages:
/// incoming and outgoing messages, missed messages, read marks, the composer, surveys and the search.
///
/// Its methods return actions. The caller executes them in order and passes those of the conversation back to
/// `carryOut`, so that each action takes effect after the previous ones.
struct ConversationMachine: Hashable, Sendable {
    /// The conditions that the conversation depends on, at the time of an event.
    struct Conditions {
        var now: Moment
        var clock: ServerClock
        var configurator: ConfigurationMachine
        /// The account of the authorized user, if there is one.
        var account: Account?
        /// Whether REST calls are possible.
        var mayCall: Bool
        /// Whether the host application was asked for another token.
        var awaitsToken = false
        /// Whether the server can be asked for its unread count, and no such call is pending.
        var mayPoll: Bool
        /// Whether a network route may exist.
        var hasRoute: Bool
        var isForeground: Bool
        /// Whether the screen is visible to the user.
        var isLooking: Bool
        var isSocketReady: Bool
        /// Whether the socket belongs to a user who is logging out.
        var isFarewell: Bool

        var isAuthorized: Bool { account != nil }
        var configuration: EffectiveConfiguration { configurator.effective }
        fileprivate var typingInterval: Int64 { Int64(configuration.typingInterval.value) }

        fileprivate var search: SearchMachine.Conditions {
            SearchMachine.Conditions(
                isAuthorized: isAuthorized, isEnabled: configuration.searchEnabled.value,
                mayAskServer: hasRoute && mayCall, pageSize: configuration.historyLoadingCount.value)
        }

        fileprivate var context: ContextMachine.Conditions {
            ContextMachine.Conditions(
                isAuthorized: isAuthorized, mayAskServer: hasRoute && mayCall,
                pageSize: configuration.historyLoadingCount.value)
        }
    }

    private let settings: ChatSettings
    private var window = MessageWindow()
    private var intake = IntakeMachine()
    private var outbox: OutboxMachine
    private var transfers: TransferMachine
    private var dialog = DialogMachine()
    private var typing = TypingIndicator()
    private var sync: SyncMachine
    private var reading: ReadMarkMachine
    private var composer = Composer()
    private var search = SearchMachine()
    private var context = ContextMachine()
    private var surveys: SurveyMachine

    init(_ settings: ChatSettings) {
        self.settings = settings
        outbox = OutboxMachine(settings)
        transfers = TransferMachine(uploadTimeout: settings.uploadTimeout)
        sync = SyncMachine(pageSize: settings.catchUpPageSize)
        reading = ReadMarkMachine(pollInterval: settings.unreadMessageCountDelay.saturatingMultiply(1000))
        surveys = SurveyMachine(apiVersion: settings.apiVersion)
    }

    // MARK: Looking

    /// Returns the state of an own message; `nil` if the message is not the client's own or not in memory.
    func state(of id: MessageID) -> ChatMessageState? { window[id]?.delivery.map { visibleState(id, $0) } }

    /// Returns a message in memory.
    func message(_ id: MessageID) -> StoredMessage? { window[id] }

    private func visibleState(_ id: MessageID, _ delivery: Delivery) -> ChatMessageState {
        delivery.visible(isUploading: transfers.isUploading(id))
    }

    /// Returns whether the message waits for the reply to its frame.
    func isSending(_ id: MessageID) -> Bool {
        if case .sending = window[id]?.delivery { true } else { false }
    }

    /// Whether a message was sent and its outcome is unknown.
    var awaitsOutcome: Bool { outbox.isOutcomeUnknown(window) }

    var newestMessage: MessageID? { window.messages.last?.id }

    var isDialogActive: Bool { dialog.phase == .active }
    var isDialogOver: Bool { dialog.phase == .ended }

    /// Whether the history was loaded since the user was authorized.
    var hasHistory: Bool { sync.hasHistory }

    /// Whether the last attempt to load the history failed.
    var isHistoryFailing: Bool { sync.isFailing }

    /// Returns the ids of items in an event that only the store may contain.
    func namesToRecall(for event: ChatEvent, live: Generation?) -> [String] {
        IntakeMachine.namesToRecall(for: event, live: live, in: window)
    }

    /// Returns the time of the next call of `expire` or `settle`, on the monotonic clock.
    func wake(mayCall: Bool) -> Int64? {
        let moments = [
            outbox.wake(window), sync.wake, transfers.wake(window, mayCall: mayCall), reading.wake, typing.wake,
            search.wake, surveys.wake, composer.wake,
        ]
        return moments.compactMap(\.self).min()
    }

    /// Returns the machines that the screen's state is composed from.
    func sources(
        session: SessionMachine, configurator: ConfigurationMachine, presence: PresenceMachine,
        socket: SocketSupervisor, commits: CommitLedger
    ) -> ScreenComposer.Sources {
        ScreenComposer.Sources(
            settings: settings, session: session, configurator: configurator, presence: presence, socket: socket,
            commits: commits, window: window, dialog: dialog, typing: typing, sync: sync, reading: reading,
            composer: composer, search: search, context: context, surveys: surveys, transfers: transfers)
    }

    // MARK: Users

    /// Restores the stored conversation of the user who is now authorized. Deadlines are converted to this process's
    /// monotonic clock. Messages that were being sent become unconfirmed.
    mutating func restore(_ restored: PersistedChat, _ conditions: Conditions) {
        let longestHold = Int64(conditions.configuration.surveyCompletionDelay.value)
        let messages = outbox.restore(restored.messages, longestHold: longestHold, at: conditions.now)
        window.reset(to: messages, storeHasOlder: restored.hasOlder)
        transfers.restore(restored.attachments)
        dialog.restore(restored.dialog, window.messages)
        sync.restore(cursor: restored.cursor, window)
        composer.restore(draft: restored.draft)
        reading.forgetUser()
        reading.schedulePoll(at: conditions.now)
    }

    /// Deletes the conversation from memory.
    mutating func forgetUser() -> [CoreAction] {
        let actions = transfers.forgetUser()
        var next = ConversationMachine(settings)
        // The current event may still refer to recalled items, and the window's revision must continue.
        (next.intake, next.window) = (intake, window)
        next.window.reset()
        self = next
        return actions
    }

    /// Records that the host application was told an unread count of 0.
    mutating func toldNothing() { reading.toldNothing() }

    // MARK: Events

    /// Handles an event of the conversation.
    mutating func handle(
        _ event: ChatEvent, _ conditions: Conditions, numbers: inout NumberSequence, entropy: inout EntropySource
    ) -> [CoreAction] {
        let (now, clock, configuration) = (conditions.now, conditions.clock, conditions.configuration)
        switch event {
        case .getChat:
            composer.beginScreen()
            search.leaveScreen()
            context.leaveScreen()
        case .screenDisappeared:
            composer.screenDisappeared()
            window.shrink()
        case .prefill(let text): composer.prefillNextScreen(text)
        case .typed(let text):
            // A socket that reports a logout belongs to another user.
            let isTold = conditions.isSocketReady && !conditions.isFarewell && conditions.isAuthorized
            composer.typed(text, isTold: isTold)
        case .campaign(let mailing): if conditions.isAuthorized { composer.bind(to: mailing) }
        case .recalled(let messages): intake.recall(messages)
        case .loadOlder:
            return sync.loadOlder(
                configuration.historyLoadingCount.value, &window, isAuthorized: conditions.isAuthorized,
                mayCall: conditions.mayCall)
        case .page(let query, let result):
            return sync.loaded(query, result, &window, mayCall: conditions.mayCall)
                + context.loaded(query, result, conditions.context)
        case .showContext, .loadOlderContext, .loadNewerContext, .closeContext:
            return context.handle(event, in: window, conditions.context)
        case .quote(let id): return composer.quote(id, in: window)
        case .rateSurvey(let id, let question, let rate):
            return surveys.rate(id, question: question, rate: rate, in: window, at: now, clock)
        case .commentSurvey(let id, let text): return surveys.comment(id, text, in: window, at: now, clock)
        case .submitSurvey(let id): return surveys.submit(id, in: window, at: now, clock)
        case .closeThread(let id): return surveys.answerCloseRequest(id, .closeThread, in: window)
        case .reopenThread(let id): return surveys.answerCloseRequest(id, .reopenThread, in: window)
        case .searchTyped(let text): return search.typed(text, at: now, conditions.search, numbers: &numbers)
        case .searchMore: return search.more(conditions.search)
        case .found(let query, let result):
            return search.storeAnswered(query, result, in: window, conditions.search)
        case .search(let ticket, let query, let page):
            return search.search(ticket, query, page: page, conditions.search)
        case .fetchMissed(let ticket): return sync.ask(ticket, isAuthorized: conditions.isAuthorized)
        case .unreadCount(let ticket): return reading.ask(ticket, window, isAuthorized: conditions.isAuthorized)
        case .send(let ticket, let id, let message): return send(ticket, id, message, conditions)
        case .resend(let id): return resend(id, conditions)
        case .discard(let id): return discard(id)
        case .download(let id, let reference): return transfers.download(id, reference, for: conditions.account)
        case .cancelTransfer(let id):
            return transfers.cancel(id, in: window, at: now, configuration, entropy: &entropy)
        case .network(.progress(let id, let bytes, let total)): return transfers.progressed(id, bytes, of: total)
        case .network(.checkpoint(let id, let token)): return transfers.reachedCheckpoint(id, token)
        case .network(.transferred(let id, let result)):
            return transfers.ended(id, result, in: window, at: now, configuration, entropy: &entropy)
        default: break
        }
        return []
    }

    /// Applies a change of the user's store to messages that are only shown.
    mutating func note(_ change: StoreChange) { context.note(change) }

    /// Forgets recalled items after the next event.
    mutating func forgetRecalled() { intake.recall([]) }

    // MARK: Actions

    /// Executes an action of the conversation. Returns the actions that follow from it.
    mutating func carryOut(
        _ action: CoreAction, _ conditions: Conditions, entropy: inout EntropySource
    ) -> [CoreAction] {
        let now = conditions.now
        switch action {
        case .keep(let message):
            guard conditions.isAuthorized else { return [] }
            window.save(message)
            return [.save(.saveMessage(message))]

        // Own messages.
        case .send(let message): return enqueue(message, conditions, entropy: &entropy)
        case .tell(let id, let delivery): return [.notify(.message(id, visibleState(id, delivery)))]
        case .changed(let id, let before, let after):
            let state = visibleState(id, after)
            return visibleState(id, before) == state ? [] : [.notify(.message(id, state))]
        case .arrived(let id): outbox.remove(id)
        case .fail(let id, let failure): return outbox.fail(id, .upload(failure), mayHaveArrived: false, &window)
        case .uploadAgain(let id): transfers.startOver(id)
        case .lookUp: if conditions.isAuthorized { sync.lookUp() }
        case .resolveUnconfirmed:
            let mostLosses = conditions.configuration.messageRetryCount.value
            return outbox.resolveUnconfirmed(mostLosses: mostLosses, &window, at: now)
        case .limitLookUps: if conditions.isSocketReady { return outbox.limitLookUps(&window, at: now) }
        case .redraw: window.touch()

        // The history.
        case .absorb(let page):
            return absorb(page.messages.map { Incoming($0) }, from: .gap(isFirst: page.isFirst), conditions)
                + [.absorbed(page)]
        case .absorbed(let page):
            return sync.absorbed(page, in: window, isForeground: conditions.isForeground, at: now)
        case .absorbOlder(let messages): return absorb(messages.map { Incoming($0) }, from: .older, conditions)
        case .noteAgent(let info): dialog.noteAgent(info)

        // Items of the server.
        case .noteContent(let content, let time):
            return dialog.note(content, time: time).map { [.save(.dialog($0))] } ?? []
        case .heardTyping(let name): typing.heard(name, at: now, interval: conditions.typingInterval)
        case .fill(let time): sync.fill(to: time)
        case .held(let message, let time, let source):
            reading.held(message, time: time, wasMissed: source != .live || sync.isBehind)
        case .received(let news, let source): return received(news, from: source, conditions)
        default: break
        }
        return []
    }

    // MARK: Own messages

    private mutating func send(
        _ ticket: Ticket, _ id: MessageID, _ message: OutgoingMessage, _ conditions: Conditions
    ) -> [CoreAction] {
        if let refusal = refusal(of: message, id, conditions) {
            return [.effect(.acknowledge(ticket, .failure(refusal)))]
        }
        var message = message
        if message.body == .message, let quote = composer.sent() { message.quotes.append(quote) }
        return take(message, id, ticket, conditions) + [.scroll(to: newestMessage)]
    }

    /// Queues a message that the core created, such as a survey answer. It is not acknowledged. If it cannot be stored
    /// now, the commit is retried.
    private mutating func enqueue(
        _ message: OutgoingMessage, _ conditions: Conditions, entropy: inout EntropySource
    ) -> [CoreAction] {
        let id = MessageID(entropy.uuid())
        if let refusal = refusal(of: message, id, conditions) {
            return [.log(.error, "a survey answer was not queued: \(refusal)")]
        }
        return take(message, id, nil, conditions)
    }

    private mutating func take(
        _ message: OutgoingMessage, _ id: MessageID, _ ticket: Ticket?, _ conditions: Conditions
    ) -> [CoreAction] {
        guard let user = conditions.account?.clientID else { return [] }
        let now = conditions.now
        let content = message.content(id, clientID: user, settings)
        let delay = message.body.isSurveyAnswer ? Int64(conditions.configuration.surveyCompletionDelay.value) : 0
        let stored = outbox.add(
            content, id, notBefore: delay > 0 ? now.after(milliseconds: delay) : nil, &window, at: now,
            conditions.clock)
        let jobs = transfers.plan(message.files, of: id)
        // The draft is deleted in the same commit, so that a crash cannot bring back a text that was sent.
        let changes = [.saveMessage(stored)] + jobs.map(StoreChange.saveAttachment) + composer.dropStoredDraft()
        return [.commit(StoreTransaction(user: user, changes: changes, ticket: ticket))]
            + (ticket.map { [.effect(.acknowledge($0, .success(id)))] } ?? [])
            + [.notify(.message(id, jobs.isEmpty ? .queued : .uploading))]
    }

    private func refusal(of message: OutgoingMessage, _ id: MessageID, _ conditions: Conditions) -> SendRefusal? {
        guard conditions.isAuthorized else { return .notAuthorized }
        let text = message.text ?? ""
        if text.isEmpty, message.files.isEmpty, message.body == .message { return .empty }
        if text.count > OutgoingMessage.longestText { return .tooLong(limit: OutgoingMessage.longestText) }
        if !settings.outboxEnabled, !conditions.isSocketReady { return .socketNotActive }
        if outbox.isFull { return .queueFull(limit: OutboxMachine.longestQueue) }
        if let existing = window[id] { return SentContent(message).refusal(ifTakenBy: existing) ?? .duplicate }
        for file in message.files {
            if transfers.hasUpload(file.id) { return .duplicate }
            if let refusal = conditions.configurator.refusal(of: file.file) { return refusal }
        }
        return nil
    }

    private mutating func resend(_ id: MessageID, _ conditions: Conditions) -> [CoreAction] {
        guard let message = window[id], case .own(.failed(_, let mayHaveArrived)) = message.state else {
            return [.log(.info, "only a failed message can be sent again")]
        }
        return outbox.resend(
            message, mayHaveArrived: mayHaveArrived, &window, at: conditions.now, conditions.clock)
            + [.uploadAgain(id)]
    }

    /// Deletes a message that is queued or failed. A message that is being sent may still arrive; it then returns with
    /// the history.
    private mutating func discard(_ id: MessageID) -> [CoreAction] {
        guard let delivery = window[id]?.delivery, !delivery.isConfirmed else {
            return [.log(.info, "only an own message that has not arrived can be discarded")]
        }
        outbox.remove(id)
        window.remove(id)
        return [.save(.removeMessage(id))] + transfers.drop(id)
    }

    /// Repeats an effect that a failed commit skipped, if its subject still exists.
    func recover(_ effect: ChatEffect, _ failure: StoreFailure) -> [CoreAction] {
        switch effect {
        // The message is still here if its own commit preceded the failed one.
        case .acknowledge(let ticket, .success(let id)) where window[id] == nil:
            [.effect(.acknowledge(ticket, .failure(.store(failure))))]
        case .network(.upload(let id, _)) where !transfers.hasUpload(id): []
        case .notify(.message(let id, _)) where window[id] == nil: []
        default: [.effect(effect)]
        }
    }

    /// Removes a message that could not be stored.
    mutating func forgetUnkept(_ transaction: StoreTransaction) {
        for change in transaction.changes {
            switch change {
            case .saveMessage(let message):
                window.remove(message.id)
                outbox.remove(message.id)
            case .saveAttachment(let job): transfers.takeBack(job.id)
            case .draft: composer.draftWasKept()
            default: break
            }
        }
    }

    /// Undoes the sending of a message because it could not be stored.
    mutating func takeBack(_ id: MessageID) { outbox.takeBack(id, &window) }

    /// The file store refused the token of an upload. `isRetried` says whether there is or will be another token.
    mutating func tokenDecided(_ id: TransferID, _ failure: TransportFailure, isRetried: Bool) -> [CoreAction] {
        transfers.tokenDecided(id, failure, isRetried: isRetried, in: window)
    }

    // MARK: The socket

    /// Drops a draft that was not sent yet.
    mutating func dropDraft() { composer.dropDraft() }

    /// Marks messages that were sent on the socket and have no reply as unconfirmed.
    mutating func socketIsGone() -> [CoreAction] {
        reading.socketIsGone()
        typing.stop()
        composer.dropDraft()
        return outbox.socketIsGone(&window)
    }

    /// Handles the receipt of a message.
    mutating func confirmed(_ id: MessageID, _ receipt: SendReceipt) -> [CoreAction] {
        outbox.confirmed(id, receipt, &window)
    }

    /// Puts a message back into the queue, because the server refused the token and not the message.
    mutating func returned(_ id: MessageID) -> [CoreAction] { outbox.returned(id, &window) }

    /// Fails a message that the server refused. `mayHaveArrived` is true if another attempt has no reply.
    mutating func refused(_ id: MessageID, _ refusal: ServerRefusal, mayHaveArrived: Bool) -> [CoreAction] {
        outbox.refused(id, refusal, mayHaveArrived: mayHaveArrived, &window)
    }

    /// Records that the server confirmed the reading of these messages.
    mutating func marksArrived(_ ids: [MessageID]) -> [CoreAction] { reading.marksArrived(ids, in: window) }

    /// Handles messages and statuses that the server sent unprompted.
    mutating func received(_ frame: ServerFrame, _ conditions: Conditions) -> [CoreAction] {
        guard conditions.isAuthorized, !conditions.isFarewell else { return [] }
        switch frame.body {
        case .messages(let messages):
            return absorb(messages.map { Incoming($0, createdAt: frame.createdAt) }, from: .live, conditions)
        case .statuses(let changes): return changes.flatMap { intake.status($0.status, of: $0.messageID, &window) }
        default: return []
        }
    }

    /// Merges items from the server, oldest first.
    private mutating func absorb(
        _ items: [Incoming], from source: Incoming.Source, _ conditions: Conditions
    ) -> [CoreAction] {
        conditions.isAuthorized ? intake.absorb(items, from: source, &window, at: conditions.now) : []
    }

    /// Handles new messages from the company.
    private mutating func received(
        _ news: [MessageID], from source: Incoming.Source, _ conditions: Conditions
    ) -> [CoreAction] {
        var actions: [CoreAction] = []
        if source == .live {
            typing.stop()
            reading.newsArrived()
        }
        if source != .older {
            // Messages that are read at once are reported as read instead.
            if conditions.isSocketReady, !conditions.isLooking || !conditions.isForeground {
                actions += reading.sendDelivered(news.filter { window[$0]?.isUnread == true }, in: window)
            }
            if conditions.isLooking, conditions.configuration.scrollToLatest.value {
                actions.append(.scroll(to: newestMessage))
            }
        }
        if source == .live || source == .gap(isFirst: false) { actions.append(.notify(.received(news))) }
        if source == .gap(isFirst: false) { sync.absorbedNews(news.count) }
        return actions
    }

    // MARK: Calls

    /// Requests all messages after the cursor.
    mutating func wantHistory() { sync.want() }

    /// Ends the wait between attempts to load the history.
    mutating func retryHistory() { sync.retryNow() }

    /// Ends the waits between attempts, because the conditions improved.
    mutating func retryNow() {
        sync.retryNow()
        transfers.retryNow()
    }

    /// Handles the answer to a call. Returns `nil` if the answer belongs to another kind of call.
    mutating func answered(
        _ purpose: PendingCall.Purpose, _ answer: RESTAnswer, _ conditions: Conditions
    ) -> [CoreAction]? {
        let (now, clock, isLooking) = (conditions.now, conditions.clock, conditions.isLooking)
        switch (purpose, answer) {
        case (.gap, .history(let answer)): return sync.arrived(answer)
        case (.older, .history(let answer)): return sync.olderArrived(answer)
        case (.unreadPoll, .unread(let answer)):
            return reading.pollAnswered(answer, in: window, at: now, clock, isLooking: isLooking)
        case (.unreadQuestion(let ticket), .unread(let answer)):
            reading.counted(answer, in: window, at: now, clock, isLooking: isLooking)
            return [.notify(.unreadAnswer(ticket, .success(Int(clamping: max(0, answer.count)))))]
        case (.search(let request), .search(let answer)): return search.answered(request, answer, in: window)
        case (.context(let request), .history(let answer)):
            let messages = intake.copies(of: answer.messages, in: window, at: now)
            return context.answered(request, answer, messages, conditions.context)
        default: return nil
        }
    }

    /// Handles a failed call. `isAskedAgain` says that the call is repeated with the next token.
    mutating func failed(
        _ purpose: PendingCall.Purpose, _ failure: TransportFailure, isAskedAgain: Bool, _ conditions: Conditions,
        entropy: inout EntropySource
    ) -> [CoreAction] {
        switch purpose {
        case .gap where isAskedAgain: sync.tokenRefused()
        case .gap:
            let demand = SyncMachine.Demand(
                hasUnconfirmed: outbox.hasUnconfirmed(window),
                isWatched: conditions.isSocketReady || conditions.isLooking)
            return sync.failed(failure, demand, at: conditions.now, entropy: &entropy)
        case .older: sync.olderFailed(failure)
        case .unreadPoll: reading.schedulePoll(at: conditions.now)
        case .unreadQuestion(let ticket): return [.notify(.unreadAnswer(ticket, .failure(.transport(failure))))]
        case .search(let request): return search.failed(request, failure, conditions.search)
        case .context(let request): return context.failed(request, failure)
        case .configuration, .farewell: break
        }
        return []
    }

    /// Cancels calls and store searches, and fails them for their callers.
    mutating func cancel(_ calls: [PendingCall]) -> [CoreAction] {
        var actions = sync.cancelled() + search.cancelStoreRequests()
        for call in calls {
            actions.append(.network(.cancel(.call(call.id))))
            switch call.purpose {
            case .unreadQuestion(let ticket): actions.append(.notify(.unreadAnswer(ticket, .failure(.superseded))))
            case .search(let request): actions += search.cancelled(request)
            case .context(let request): actions += context.failed(request, TransportFailure(.cancelled))
            case .configuration, .gap, .older, .unreadPoll, .farewell: break
            }
        }
        return actions
    }

    // MARK: What is due

    /// Checks the stored wall-clock deadlines after the return to the foreground.
    mutating func judgeByWallClock(at now: Moment) -> [CoreAction] { outbox.judgeByWallClock(&window, at: now) }

    /// Requests the server's unread count if that is possible.
    mutating func poll(_ conditions: Conditions) -> [CoreAction] {
        reading.poll(window, at: conditions.now, isPossible: conditions.mayPoll)
    }

    /// Handles expired deadlines of own messages and the history. `overdue` contains messages whose replies are late.
    mutating func expireMessages(overdue: [MessageID], _ conditions: Conditions) -> [CoreAction] {
        sync.expire(at: conditions.now)
        let mostLosses = conditions.configuration.messageRetryCount.value
        return outbox.expire(&window, at: conditions.now)
            + outbox.overdue(overdue, mostLosses: mostLosses, &window)
    }

    /// Handles the other expired deadlines.
    mutating func expire(_ conditions: Conditions) -> [CoreAction] {
        let now = conditions.now
        typing.expire(at: now)
        return transfers.expire(window, at: now) + search.expire(at: now, conditions.search)
            + reading.expire(window, at: now, isPossible: conditions.mayPoll)
    }

    // MARK: What follows from the state

    /// Starts the pending history request and upload. While the screen is visible, its messages are marked as read. In
    /// the background, only a history request that the host application waits for is started.
    mutating func settleCalls(_ conditions: Conditions) -> [CoreAction] {
        guard conditions.isForeground || sync.isFetching, let account = conditions.account else { return [] }
        var actions: [CoreAction] = []
        if conditions.mayCall {
            actions = sync.settle(window, firstPage: conditions.configuration.historyLoadingCount.value)
        } else if !conditions.awaitsToken {
            actions = sync.cannotFetch()
        }
        guard conditions.isForeground else { return actions }
        if conditions.mayCall { actions += transfers.startNext(for: account, in: window, at: conditions.now) }
        return conditions.isLooking ? actions + reading.lookedAt(window) : actions
    }

    /// Sends pending messages, read marks and drafts on a ready socket, and updates timers, surveys and the unread
    /// count. Messages wait while the store fails. Read marks wait while others are pending.
    mutating func settle(isStoreFailing: Bool, awaitsReading: Bool, _ conditions: Conditions) -> [CoreAction] {
        let (now, isAuthorized) = (conditions.now, conditions.isAuthorized)
        var actions: [CoreAction] = []
        if conditions.isSocketReady, !conditions.isFarewell, conditions.isForeground {
            if !isStoreFailing, isAuthorized {
                actions = outbox.drain(&window, uploading: transfers.waitingMessages, at: now)
            }
            actions += reading.sendMarks(of: window, isUnderWay: awaitsReading)
            actions += composer.tellDraft(at: now, interval: conditions.typingInterval)
        }
        let isWatched = conditions.isForeground && conditions.isLooking && isDialogActive && isAuthorized
        outbox.settleTick(isWatched: isWatched, at: now)
        surveys.settle(in: window, at: now, conditions.clock)
        actions += composer.keepDraft(
            at: now, isPossible: isAuthorized && !isStoreFailing, isUrgent: !conditions.isForeground)
        context.settle(
            in: window,
            ContextMessages.Drawing(
                hidden: surveys.hidden, uploading: transfers.uploadingMessages,
                showsLinkPreviews: conditions.configuration.linkPreviewEnabled.value))
        return isAuthorized ? actions + reading.tell(window) : actions
    }
}
