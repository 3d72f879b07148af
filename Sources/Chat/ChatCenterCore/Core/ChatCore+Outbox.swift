import ChatWire

// The client's own messages: kept before anybody is told, sent one after the other in the order of `send` among those
// whose files are uploaded, and each of them ends in exactly one of sent and failed.
extension ChatCore {
    mutating func send(_ ticket: Ticket, _ id: MessageID, _ message: OutgoingMessage, _ turn: inout Turn) {
        if let refusal = refusal(of: message, id) {
            turn.emit(.acknowledge(ticket, .failure(refusal)))
            return
        }
        var message = message
        if message.body == .message {
            if let quote = composer.sent() { message.quotes.append(quote) }
        }
        take(message, id, ticket, &turn)
        scrollToLatest()
    }

    /// Takes a message of the core's own making: an answer to a survey. Nobody waits for its acknowledgement; if it
    /// cannot be kept now, that is tried again.
    mutating func enqueue(_ message: OutgoingMessage, _ turn: inout Turn) {
        let id = MessageID(turn.entropy.uuid())
        if let refusal = refusal(of: message, id) {
            turn.log(.error, "an answer was not taken: \(refusal)")
            return
        }
        take(message, id, nil, &turn)
    }

    private mutating func take(_ message: OutgoingMessage, _ id: MessageID, _ ticket: Ticket?, _ turn: inout Turn) {
        guard let user = session.clientID else { return }
        let content = Content(
            message.body, clientID: user, uuid: id.text, text: message.text,
            attachments: message.files.map { file in
                Attachment(
                    id: file.id.text, name: file.file.name, type: file.file.type, size: file.file.size,
                    state: .pending)
            }, quotes: message.quotes, quickReplies: message.quickReplies, appMarker: settings.appMarker,
            apiVersion: settings.apiVersion)
        var entry = nextEntry(turn.now)
        if message.body.isSurveyAnswer, configuration.surveyCompletionDelay.value > 0 {
            entry.notBefore = turn.now.after(milliseconds: Int64(configuration.surveyCompletionDelay.value))
        }
        let stored = StoredMessage(
            id: id, content: content, position: ownPlace(turn.now),
            state: .own(.queued(entry, deadline: nil)))
        var changes: [StoreChange] = [.saveMessage(stored)]
        changes += transfers.plan(message.files, of: id).map(StoreChange.saveAttachment)
        window.save(stored)
        queue.append(id)
        turn.commit(StoreTransaction(user: user, changes: changes, ticket: ticket))
        if let ticket { turn.emit(.acknowledge(ticket, .success(id))) }
        turn.emit(.notify(.message(id, message.files.isEmpty ? .queued : .uploading)))
    }

    private func refusal(of message: OutgoingMessage, _ id: MessageID) -> SendRefusal? {
        guard session.isAuthorized else { return .notAuthorized }
        let text = message.text ?? ""
        if text.isEmpty, message.files.isEmpty, message.body == .message { return .empty }
        if text.count > OutgoingMessage.longestText { return .tooLong(limit: OutgoingMessage.longestText) }
        if !settings.outboxEnabled, !socket.isReady { return .socketNotActive }
        if queue.count >= Self.longestQueue { return .queueFull(limit: Self.longestQueue) }
        if window[id] != nil { return .duplicate }
        for file in message.files {
            if transfers.hasUpload(file.id) { return .duplicate }
            if let refusal = configurator.refusal(of: file.file) { return refusal }
        }
        return nil
    }

    /// A place after everything that is known, at the server's time as far as it can be told.
    private mutating func ownPlace(_ now: Moment) -> MessagePosition {
        window.placeAtEnd(time: max(window.newestTime ?? .min, serverClock.time(at: now)))
    }

    private mutating func nextEntry(_ now: Moment) -> OutboxEntry {
        lastSequence = lastSequence.saturatingAdd(1)
        return OutboxEntry(sequence: lastSequence, expires: now.after(milliseconds: settings.queuedMaximumAge))
    }

    /// A failed message goes to the end of the queue. One that may have arrived is looked for first.
    mutating func resend(_ id: MessageID, _ turn: inout Turn) {
        guard let message = window[id], case .own(.failed(_, let mayHaveArrived)) = message.state else {
            turn.log(.info, "only a failed message can be sent again")
            return
        }
        let entry = nextEntry(turn.now)
        queue.append(id)
        var moved = message
        moved.position = ownPlace(turn.now)
        window.save(moved)
        if mayHaveArrived {
            setDelivery(.unconfirmed(entry, deadline: nil), of: id, &turn)
            lookUp()
        } else {
            setDelivery(.queued(entry, deadline: nil), of: id, &turn)
        }
        transfers.startOver(id)
    }

    /// Forgets a message that waits or failed. One that is on its way may still arrive, and then comes back with the
    /// history.
    mutating func discard(_ id: MessageID, _ turn: inout Turn) {
        guard let user = session.clientID, let delivery = window[id]?.delivery, !delivery.isConfirmed else {
            turn.log(.info, "only an own message that has not arrived can be discarded")
            return
        }
        leaveQueue(id)
        window.remove(id)
        turn.save(.removeMessage(id), of: user)
        perform(transfers.drop(id), &turn)
    }

    // MARK: Going out

    /// Hands the first message that is ready to the socket. One message is on its way at a time: whatever the network
    /// does to it, the next one cannot overtake it. Nothing goes out while the outcome of one is unknown.
    mutating func drainQueue(_ turn: inout Turn) {
        guard let account = session.account, !isOutcomeUnknown else { return }
        // A message that is held back, or whose files are still being uploaded, does not delay the others.
        let uploading = transfers.waitingMessages
        let due = queue.first { window[$0]?.delivery?.entry?.notBefore == nil && !uploading.contains($0) }
        guard let head = due, let message = window[head],
            case .own(.queued(let entry, let deadline)) = message.state
        else { return }
        var end = deadline ?? turn.now.after(milliseconds: settings.sendTimeout)
        // Looked up because nothing failed it: it would be unanswered at once.
        if let over = unansweredEnd(.sending(entry, deadline: end)), over <= turn.now.monotonic {
            end = turn.now.after(milliseconds: settings.sendTimeout)
        }
        setDelivery(.sending(entry, deadline: end), of: head, &turn)
        transmit(.sendMessage(message.content, deviceAddress: account.deviceAddress), for: .message(head), &turn)
    }

    /// Whether a message was sent and its outcome is unknown.
    var isOutcomeUnknown: Bool {
        queue.contains { id in
            switch window[id]?.delivery {
            case .sending, .unconfirmed: true
            default: false
            }
        }
    }

    /// The correlation id of the frame on the live socket whose message waits for its reply.
    var frameOnItsWay: String? {
        guard socket.isReady else { return nil }
        return frames.newestFrame { id in
            if case .sending = window[id]?.delivery { true } else { false }
        }
    }

    // MARK: Overdue replies

    /// Looks up messages whose replies are overdue, because they hold up the queue until their deadlines. A message that
    /// used up `messageRetryCount` keeps waiting for its deadline.
    mutating func expireAnswers(_ turn: inout Turn) {
        for id in frames.expire(at: turn.now) {
            guard case .own(.sending(let entry, let deadline)) = window[id]?.state,
                entry.losses < configuration.messageRetryCount.value
            else { continue }
            turn.log(.webSocket, "message \(id) has no answer, what went out after it has one: it is looked up")
            setDelivery(.unconfirmed(entry, deadline: deadline), of: id, &turn)
            lookUp()
        }
    }

    /// Removes a message that the server has from the queue, with its frames.
    mutating func arrived(_ id: MessageID) {
        leaveQueue(id)
        frames.arrived(id)
    }

    /// The server has the message.
    mutating func messageConfirmed(_ id: MessageID, _ receipt: SendReceipt, _ turn: inout Turn) {
        guard let user = session.clientID, var message = window[id], let before = message.delivery else {
            return
        }
        arrived(id)
        if !before.isConfirmed, let sentAt = receipt.sentAt { message.position.time = sentAt }
        message.serverID = receipt.messageID
        _ = message.apply(.status(receipt.status))
        guard message != window[id] else { return }
        window.save(message)
        turn.save(.saveMessage(message), of: user)
        if let after = message.delivery, after != before { tellDelivery(id, after, &turn) }
    }

    /// The server refused the message: it fails at once. A later try without a reply may have arrived.
    mutating func messageRefused(
        _ id: MessageID, _ refusal: ServerRefusal, mayHaveArrived: Bool, _ turn: inout Turn
    ) {
        guard let delivery = window[id]?.delivery, !delivery.isConfirmed else { return }
        fail(id, .refused(refusal), mayHaveArrived: mayHaveArrived, &turn)
    }

    /// The server refused the token, not the message: it keeps its place.
    mutating func messageReturns(_ id: MessageID, _ turn: inout Turn) {
        guard case .own(.sending(let entry, let deadline)) = window[id]?.state else { return }
        setDelivery(.queued(entry, deadline: deadline), of: id, &turn)
    }

    /// The socket is gone: what was on its way may have arrived.
    mutating func loseTrackOfMessages(_ turn: inout Turn) {
        for id in queue {
            guard case .own(.sending(let entry, let deadline)) = window[id]?.state else { continue }
            setDelivery(.unconfirmed(entry, deadline: deadline), of: id, &turn)
            lookUp()
        }
    }

    /// The history was asked and does not hold these messages: they never arrived. `messageRetryCount` says how often
    /// that may happen to one; a message that the user sends again begins anew.
    mutating func resolveUnconfirmed(_ turn: inout Turn) {
        for id in queue {
            guard case .own(.unconfirmed(var entry, let deadline)) = window[id]?.state else { continue }
            // Without a deadline it was looked up because the user wants it again, not because it was lost again; the
            // time that the look-up had is over.
            if deadline != nil {
                entry.losses += 1
            } else {
                entry.expires = turn.now.after(milliseconds: settings.queuedMaximumAge)
            }
            if entry.losses > configuration.messageRetryCount.value {
                fail(id, .lost(tries: entry.losses), mayHaveArrived: true, &turn)
            } else {
                setDelivery(.queued(entry, deadline: deadline), of: id, &turn)
            }
        }
    }

    /// The history cannot be asked, and there is a socket: a message that is only looked up before it goes again has
    /// `sendTimeout` from now, so that it does not hold up the others for as long as the history fails.
    mutating func limitLookUps(_ turn: inout Turn) {
        guard socket.isReady else { return }
        let end = turn.now.after(milliseconds: settings.sendTimeout)
        for id in queue {
            guard case .own(.unconfirmed(var entry, nil)) = window[id]?.state, end.monotonic < entry.expires.monotonic
            else { continue }
            entry.expires = end
            setDelivery(.unconfirmed(entry, deadline: nil), of: id, &turn)
        }
    }

    var hasUnconfirmed: Bool {
        queue.contains { id in
            if case .unconfirmed = window[id]?.delivery { true } else { false }
        }
    }

    // MARK: Failing

    mutating func fail(_ id: MessageID, _ failure: SendFailure, mayHaveArrived: Bool, _ turn: inout Turn) {
        leaveQueue(id)
        setDelivery(.failed(failure, mayHaveArrived: mayHaveArrived), of: id, &turn)
        // The history knows whether it arrived; nobody should send again what did.
        if mayHaveArrived { lookUp() }
        turn.log(.error, "message \(id) failed: \(failure.logged)")
    }

    /// Fails what is due: on the monotonic clock in deadline mode, at a tick in the documented mode.
    mutating func expireMessages(_ turn: inout Turn) {
        let now = turn.now
        let ticks = tickAt.map { $0 <= now.monotonic } ?? false
        if ticks { tickAt = nil }
        for id in queue {
            guard let delivery = window[id]?.delivery, let entry = delivery.entry else { continue }
            if let notBefore = entry.notBefore, notBefore.hasPassed(now) { release(id) }
            let mayHaveArrived = delivery.mayHaveArrived
            if let deadline = delivery.deadline, settings.sendTimeoutMode == .deadline || ticks {
                guard deadline.hasPassed(now) else { continue }
                fail(id, .timedOut, mayHaveArrived: mayHaveArrived, &turn)
            } else if expires(delivery)?.hasPassed(now) == true {
                // A look-up that did not come to an end is a try that did not.
                fail(id, delivery.isLookUp ? .timedOut : .expired, mayHaveArrived: mayHaveArrived, &turn)
            } else if case .sending(_, let deadline) = delivery, let end = unansweredEnd(delivery), end <= now.monotonic
            {
                setDelivery(.unconfirmed(entry, deadline: deadline), of: id, &turn)
                lookUp()
            }
        }
    }

    /// When the message is given up for its age alone. In deadline mode one that was tried has its deadline instead; the
    /// documented timer need not run, so that only this ends what it never looks at.
    func expires(_ delivery: Delivery) -> Deadline? {
        guard delivery.deadline == nil || settings.sendTimeoutMode == .documentedTimer else { return nil }
        return delivery.entry?.expires
    }

    /// Where the documented timer does not run, a message that is not answered for twice `sendTimeout` is looked up, on
    /// the monotonic clock: nobody fails it, and it would hold up the others as long as the socket lives.
    func unansweredEnd(_ delivery: Delivery) -> Int64? {
        guard settings.sendTimeoutMode == .documentedTimer, case .sending(_, let deadline) = delivery else {
            return nil
        }
        return deadline.monotonic.saturatingAdd(settings.sendTimeout.saturatingMultiply(1_000_000))
    }

    /// The time for which the message was held back is over. The store need not know: to the next process the time is
    /// over too.
    private mutating func release(_ id: MessageID) {
        guard var message = window[id], case .own(.queued(var entry, let deadline)) = message.state else { return }
        entry.notBefore = nil
        message.state = .own(.queued(entry, deadline: deadline))
        window.save(message)
    }

    /// Back in the foreground the stored wall-clock deadlines count: the device may have slept on another clock.
    mutating func judgeByWallClock(_ turn: inout Turn) {
        guard settings.sendTimeoutMode == .deadline else { return }
        for id in queue {
            guard let delivery = window[id]?.delivery, let entry = delivery.entry else { continue }
            let deadline = delivery.deadline ?? entry.expires
            guard turn.now.wall >= deadline.wall else { continue }
            let hasExpired = delivery.deadline == nil && !delivery.isLookUp
            fail(id, hasExpired ? .expired : .timedOut, mayHaveArrived: delivery.mayHaveArrived, &turn)
        }
    }

    /// The documented timer runs while the screen is open, the application in the foreground and a dialog active.
    mutating func settleTick(_ now: Moment) {
        let runs =
            settings.sendTimeoutMode == .documentedTimer && isForeground && stage.visible != nil
            && dialog.phase == .active && session.isAuthorized
        if !runs {
            tickAt = nil
        } else if tickAt == nil {
            tickAt = now.after(milliseconds: settings.sendTimeout).monotonic
        }
    }

    // MARK: Small things

    mutating func leaveQueue(_ id: MessageID) {
        queue.removeAll { $0 == id }
    }

    mutating func setDelivery(_ delivery: Delivery, of id: MessageID, _ turn: inout Turn) {
        guard let user = session.clientID, var message = window[id], let before = message.delivery,
            before != delivery
        else { return }
        message.state = .own(delivery)
        window.save(message)
        turn.save(.saveMessage(message), of: user)
        if visibleState(id, before) != visibleState(id, delivery) { tellDelivery(id, delivery, &turn) }
    }
}

extension ContentBody {
    var isSurveyAnswer: Bool {
        switch self {
        case .surveyQuestionAnswer, .surveyQualityFormAnswer: true
        default: false
        }
    }
}
