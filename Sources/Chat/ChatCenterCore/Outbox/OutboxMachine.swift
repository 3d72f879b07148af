import ChatWire

/// A state machine for the client's own messages. A message is stored before its sending is acknowledged. Messages are
/// sent one after the other, in the order of `send` among those whose files are uploaded. Each message ends either as
/// sent or as failed. The window owns the messages; each method receives it and changes it.
struct OutboxMachine: Hashable, Sendable {
    /// The largest number of queued messages.
    ///
    /// - Error: `ChatCenterUISendMessageError.messageNotSent`
    static let longestQueue = 1000

    private let settings: ChatSettings
    /// The messages without an answer, in the order in which they are sent.
    private var queue: [MessageID] = []
    private var lastSequence: Int64 = 0
    /// The time of the next check with `.documentedTimer`, on the monotonic clock.
    private var tickAt: Int64?

    init(_ settings: ChatSettings) {
        self.settings = settings
    }

    // MARK: Looking

    var isFull: Bool { queue.count >= Self.longestQueue }

    /// Returns whether a message was sent and its outcome is unknown.
    func isOutcomeUnknown(_ window: MessageWindow) -> Bool {
        queue.contains { id in
            switch window[id]?.delivery {
            case .sending, .unconfirmed: true
            default: false
            }
        }
    }

    /// Returns whether the history is needed to determine the outcome of a message.
    func hasUnconfirmed(_ window: MessageWindow) -> Bool {
        queue.contains { id in
            if case .unconfirmed = window[id]?.delivery { true } else { false }
        }
    }

    /// Returns the time of the next call of `expire`, on the monotonic clock.
    func wake(_ window: MessageWindow) -> Int64? {
        var next = tickAt
        func consider(_ moment: Int64?) {
            if let moment { next = min(next ?? .max, moment) }
        }
        for id in queue {
            guard let delivery = window[id]?.delivery, let entry = delivery.entry else { continue }
            consider(entry.notBefore?.monotonic)
            if settings.sendTimeoutMode == .deadline { consider(delivery.deadline?.monotonic) }
            consider(expires(delivery)?.monotonic)
            consider(unansweredEnd(delivery))
        }
        return next
    }

    // MARK: Users

    /// Restores stored messages and returns their new states. Deadlines are converted to this process's monotonic
    /// clock. Messages that were being sent become unconfirmed. `longestHold` limits how long a message is delayed, in
    /// milliseconds.
    mutating func restore(_ stored: [StoredMessage], longestHold: Int64, at now: Moment) -> [StoredMessage] {
        let messages = stored.map { anchored($0, longestHold, now) }
        let queued = messages.compactMap { message in message.delivery?.entry.map { (message.id, $0.sequence) } }
        queue = queued.sorted { $0.1 < $1.1 }.map(\.0)
        lastSequence = queued.map(\.1).max() ?? 0
        return messages
    }

    private func anchored(_ message: StoredMessage, _ longestHold: Int64, _ now: Moment) -> StoredMessage {
        func anchor(_ deadline: Deadline, atMost limit: Int64) -> Deadline {
            let left = min(max(0, deadline.wall.saturatingAdd(0 &- now.wall)), limit)
            return Deadline(monotonic: now.after(milliseconds: left).monotonic, wall: deadline.wall)
        }
        guard case .own(let delivery) = message.state, var entry = delivery.entry else { return message }
        entry.expires = anchor(entry.expires, atMost: settings.queuedMaximumAge)
        entry.notBefore = entry.notBefore.map { anchor($0, atMost: longestHold) }
        let deadline = delivery.deadline.map { anchor($0, atMost: settings.sendTimeout) }
        var message = message
        switch delivery {
        case .queued: message.state = .own(.queued(entry, deadline: deadline))
        default: message.state = .own(.unconfirmed(entry, deadline: deadline))
        }
        return message
    }

    // MARK: Queueing

    /// Adds a message to the end of the queue and returns it, so that it can be stored. It is not sent before
    /// `notBefore`.
    mutating func add(
        _ content: Content, _ id: MessageID, notBefore: Deadline?, _ window: inout MessageWindow, at now: Moment,
        _ clock: ServerClock
    ) -> StoredMessage {
        var entry = nextEntry(now)
        entry.notBefore = notBefore
        let message = StoredMessage(
            id: id, content: content, position: Self.place(&window, now, clock),
            state: .own(.queued(entry, deadline: nil)))
        window.save(message)
        queue.append(id)
        return message
    }

    /// Returns a position after all known messages, at the server's time as far as it is known.
    private static func place(_ window: inout MessageWindow, _ now: Moment, _ clock: ServerClock) -> MessagePosition {
        window.placeAtEnd(time: max(window.newestTime ?? .min, clock.time(at: now)))
    }

    private mutating func nextEntry(_ now: Moment) -> OutboxEntry {
        lastSequence = lastSequence.saturatingAdd(1)
        return OutboxEntry(sequence: lastSequence, expires: now.after(milliseconds: settings.queuedMaximumAge))
    }

    /// Moves a failed message to the end of the queue. If it may have arrived, the history is checked first.
    mutating func resend(
        _ message: StoredMessage, mayHaveArrived: Bool, _ window: inout MessageWindow, at now: Moment,
        _ clock: ServerClock
    ) -> [CoreAction] {
        let entry = nextEntry(now)
        queue.append(message.id)
        var moved = message
        moved.position = Self.place(&window, now, clock)
        window.save(moved)
        guard mayHaveArrived else { return set(.queued(entry, deadline: nil), message.id, &window) }
        return set(.unconfirmed(entry, deadline: nil), message.id, &window) + [.lookUp]
    }

    /// Removes a message from the queue.
    mutating func remove(_ id: MessageID) { queue.removeAll { $0 == id } }

    // MARK: Sending

    /// Sends the first message that is ready. Only one message is sent at a time, so that the next one cannot overtake
    /// it, whatever happens on the network. Nothing is sent while the outcome of a message is unknown.
    mutating func drain(_ window: inout MessageWindow, uploading: Set<MessageID>, at now: Moment) -> [CoreAction] {
        guard !isOutcomeUnknown(window) else { return [] }
        // A message that is delayed, or whose files are being uploaded, does not delay the others.
        let due = queue.first { window[$0]?.delivery?.entry?.notBefore == nil && !uploading.contains($0) }
        guard let due, let message = window[due], case .own(.queued(let entry, let deadline)) = message.state else {
            return []
        }
        var end = deadline ?? now.after(milliseconds: settings.sendTimeout)
        // The message was checked in the history because no timer failed it. With the old deadline it would count as
        // unanswered at once.
        if let over = unansweredEnd(.sending(entry, deadline: end)), over <= now.monotonic {
            end = now.after(milliseconds: settings.sendTimeout)
        }
        return set(.sending(entry, deadline: end), due, &window) + [.sendMessage(message)]
    }

    /// Undoes the sending of a message because it could not be stored.
    mutating func takeBack(_ id: MessageID, _ window: inout MessageWindow) {
        guard var message = window[id], case .own(.sending(let entry, let deadline)) = message.state else { return }
        message.state = .own(.queued(entry, deadline: deadline))
        window.save(message)
    }

    // MARK: Replies

    /// Handles the receipt of a message.
    mutating func confirmed(_ id: MessageID, _ receipt: SendReceipt, _ window: inout MessageWindow) -> [CoreAction] {
        guard var message = window[id], let before = message.delivery else { return [] }
        remove(id)
        var actions = [CoreAction.arrived(id)]
        if !before.isConfirmed, let sentAt = receipt.sentAt { message.position.time = sentAt }
        message.serverID = receipt.messageID
        _ = message.apply(.status(receipt.status))
        guard message != window[id] else { return actions }
        window.save(message)
        actions.append(.save(.saveMessage(message)))
        if let after = message.delivery, after != before { actions.append(.tell(id, after)) }
        return actions
    }

    /// Fails a message that the server refused. `mayHaveArrived` is true if a later attempt has no reply.
    mutating func refused(
        _ id: MessageID, _ refusal: ServerRefusal, mayHaveArrived: Bool, _ window: inout MessageWindow
    ) -> [CoreAction] {
        guard let delivery = window[id]?.delivery, !delivery.isConfirmed else { return [] }
        return fail(id, .refused(refusal), mayHaveArrived: mayHaveArrived, &window)
    }

    /// Puts a message back into the queue, because the server refused the token and not the message.
    mutating func returned(_ id: MessageID, _ window: inout MessageWindow) -> [CoreAction] {
        guard case .own(.sending(let entry, let deadline)) = window[id]?.state else { return [] }
        return set(.queued(entry, deadline: deadline), id, &window)
    }

    /// Checks messages with overdue replies in the history, because they would block the queue until their deadlines. A
    /// message that was lost `mostLosses` times keeps waiting for its deadline.
    mutating func overdue(_ ids: [MessageID], mostLosses: Int, _ window: inout MessageWindow) -> [CoreAction] {
        var actions: [CoreAction] = []
        for id in ids {
            guard case .own(.sending(let entry, let deadline)) = window[id]?.state, entry.losses < mostLosses else {
                continue
            }
            actions.append(
                .log(.webSocket, "message \(id) has no answer, but a later frame has one; checking the history"))
            actions += set(.unconfirmed(entry, deadline: deadline), id, &window) + [.lookUp]
        }
        return actions
    }

    /// Marks messages without a reply as unconfirmed, because the socket is gone and they may have arrived.
    mutating func socketIsGone(_ window: inout MessageWindow) -> [CoreAction] {
        var actions: [CoreAction] = []
        for id in queue {
            guard case .own(.sending(let entry, let deadline)) = window[id]?.state else { continue }
            actions += set(.unconfirmed(entry, deadline: deadline), id, &window) + [.lookUp]
        }
        return actions
    }

    // MARK: Checks in the history

    /// Handles messages that the loaded history does not contain: they never arrived. A message fails after
    /// `mostLosses` such losses. If the user sends it again, its count starts from 0.
    mutating func resolveUnconfirmed(
        mostLosses: Int, _ window: inout MessageWindow, at now: Moment
    ) -> [CoreAction] {
        var actions: [CoreAction] = []
        for id in queue {
            guard case .own(.unconfirmed(var entry, let deadline)) = window[id]?.state else { continue }
            // A message without a deadline was checked because the user sends it again, not because it was lost again.
            // The time limit of the check no longer applies.
            if deadline != nil {
                entry.losses += 1
            } else {
                entry.expires = now.after(milliseconds: settings.queuedMaximumAge)
            }
            if entry.losses > mostLosses {
                actions += fail(id, .lost(tries: entry.losses), mayHaveArrived: true, &window)
            } else {
                actions += set(.queued(entry, deadline: deadline), id, &window)
            }
        }
        return actions
    }

    /// Limits checks while the history cannot be loaded and there is a socket. A message that is checked before it is
    /// sent again gets `sendTimeout` from now, so that it does not block the queue as long as the history fails.
    mutating func limitLookUps(_ window: inout MessageWindow, at now: Moment) -> [CoreAction] {
        let end = now.after(milliseconds: settings.sendTimeout)
        var actions: [CoreAction] = []
        for id in queue {
            guard case .own(.unconfirmed(var entry, nil)) = window[id]?.state, end.monotonic < entry.expires.monotonic
            else { continue }
            entry.expires = end
            actions += set(.unconfirmed(entry, deadline: nil), id, &window)
        }
        return actions
    }

    // MARK: Failing

    mutating func fail(
        _ id: MessageID, _ failure: SendFailure, mayHaveArrived: Bool, _ window: inout MessageWindow
    ) -> [CoreAction] {
        remove(id)
        var actions = set(.failed(failure, mayHaveArrived: mayHaveArrived), id, &window)
        // The history shows whether the message arrived. A message that arrived must not be sent again.
        if mayHaveArrived { actions.append(.lookUp) }
        return actions + [.log(.error, "message \(id) failed: \(failure.logged)")]
    }

    /// Fails expired messages: on the monotonic clock in deadline mode, at a tick in the documented mode.
    mutating func expire(_ window: inout MessageWindow, at now: Moment) -> [CoreAction] {
        let ticks = tickAt.map { $0 <= now.monotonic } ?? false
        if ticks { tickAt = nil }
        var actions: [CoreAction] = []
        for id in queue {
            guard let delivery = window[id]?.delivery, let entry = delivery.entry else { continue }
            if let notBefore = entry.notBefore, notBefore.hasPassed(now) { Self.release(id, &window) }
            let mayHaveArrived = delivery.mayHaveArrived
            if let deadline = delivery.deadline, settings.sendTimeoutMode == .deadline || ticks {
                guard deadline.hasPassed(now) else { continue }
                actions += fail(id, .timedOut, mayHaveArrived: mayHaveArrived, &window)
            } else if expires(delivery)?.hasPassed(now) == true {
                // A check that did not complete counts as an attempt without an answer.
                let failure: SendFailure = delivery.isLookUp ? .timedOut : .expired
                actions += fail(id, failure, mayHaveArrived: mayHaveArrived, &window)
            } else if case .sending(_, let deadline) = delivery, let end = unansweredEnd(delivery),
                end <= now.monotonic
            {
                actions += set(.unconfirmed(entry, deadline: deadline), id, &window) + [.lookUp]
            }
        }
        return actions
    }

    /// Returns the deadline for a message's age. In deadline mode, a message that was sent has its own deadline
    /// instead. The documented timer may not run, so this deadline also ends messages that the timer never checks.
    private func expires(_ delivery: Delivery) -> Deadline? {
        guard delivery.deadline == nil || settings.sendTimeoutMode == .documentedTimer else { return nil }
        return delivery.entry?.expires
    }

    /// Returns when a message without an answer is checked in the history if the documented timer does not run: after
    /// twice `sendTimeout`, on the monotonic clock. Without this check, the message would block the queue as long as
    /// the socket lives.
    private func unansweredEnd(_ delivery: Delivery) -> Int64? {
        guard settings.sendTimeoutMode == .documentedTimer, case .sending(_, let deadline) = delivery else {
            return nil
        }
        return deadline.monotonic.saturatingAdd(settings.sendTimeout.saturatingMultiply(1_000_000))
    }

    /// Ends the delay of a message. This need not be stored, because the delay is also over for the next process.
    private static func release(_ id: MessageID, _ window: inout MessageWindow) {
        guard var message = window[id], case .own(.queued(var entry, let deadline)) = message.state else { return }
        entry.notBefore = nil
        message.state = .own(.queued(entry, deadline: deadline))
        window.save(message)
    }

    /// Checks the stored wall-clock deadlines after the return to the foreground. The two clocks may have
    /// advanced differently in the background.
    mutating func judgeByWallClock(_ window: inout MessageWindow, at now: Moment) -> [CoreAction] {
        guard settings.sendTimeoutMode == .deadline else { return [] }
        var actions: [CoreAction] = []
        for id in queue {
            guard let delivery = window[id]?.delivery, let entry = delivery.entry else { continue }
            let deadline = delivery.deadline ?? entry.expires
            guard now.wall >= deadline.wall else { continue }
            let hasExpired = delivery.deadline == nil && !delivery.isLookUp
            actions += fail(
                id, hasExpired ? .expired : .timedOut, mayHaveArrived: delivery.mayHaveArrived, &window)
        }
        return actions
    }

    /// Starts or stops the documented timer. `isWatched` says whether the screen is visible and a dialog is active.
    mutating func settleTick(isWatched: Bool, at now: Moment) {
        if settings.sendTimeoutMode != .documentedTimer || !isWatched {
            tickAt = nil
        } else if tickAt == nil {
            tickAt = now.after(milliseconds: settings.sendTimeout).monotonic
        }
    }

    private func set(_ delivery: Delivery, _ id: MessageID, _ window: inout MessageWindow) -> [CoreAction] {
        guard var message = window[id], let before = message.delivery, before != delivery else { return [] }
        message.state = .own(delivery)
        window.save(message)
        return [.save(.saveMessage(message)), .changed(id, from: before, to: delivery)]
    }
}
