import ChatWire

/// The client's own messages as a state machine: kept before anybody is told, sent one after the other in the order of `send`
/// among those whose files are uploaded, and each of them ends in exactly one of sent and failed. The messages belong to the
/// window, which comes with each event and is changed by it.
struct OutboxMachine: Hashable, Sendable {
    /// Messages that may wait for their turn.
    static let longestQueue = 1000

    private let settings: ChatSettings
    /// Messages that have not been answered, in the order in which they go out.
    private var queue: [MessageID] = []
    private var lastSequence: Int64 = 0
    /// The next look at unanswered messages with `.documentedTimer`, on the monotonic clock.
    private var tickAt: Int64?

    init(_ settings: ChatSettings) {
        self.settings = settings
    }

    // MARK: Looking

    var isFull: Bool { queue.count >= Self.longestQueue }

    /// Whether a message was sent and its outcome is unknown.
    func isOutcomeUnknown(_ window: MessageWindow) -> Bool {
        queue.contains { id in
            switch window[id]?.delivery {
            case .sending, .unconfirmed: true
            default: false
            }
        }
    }

    /// Whether the history is to tell the outcome of a message.
    func hasUnconfirmed(_ window: MessageWindow) -> Bool {
        queue.contains { id in
            if case .unconfirmed = window[id]?.delivery { true } else { false }
        }
    }

    /// When `expire` has something to do, on the monotonic clock.
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

    /// Takes over the messages that a store gave back and returns them as they are now: deadlines are put on this process's
    /// monotonic clock; what was on its way is unconfirmed. `longestHold` limits how long a message is held back.
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

    // MARK: Coming in

    /// Puts a message at the end of the queue and returns it as it is to be stored. It does not go out before `notBefore`.
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

    /// A place after everything that is known, at the server's time as far as it can be told.
    private static func place(_ window: inout MessageWindow, _ now: Moment, _ clock: ServerClock) -> MessagePosition {
        window.placeAtEnd(time: max(window.newestTime ?? .min, clock.time(at: now)))
    }

    private mutating func nextEntry(_ now: Moment) -> OutboxEntry {
        lastSequence = lastSequence.saturatingAdd(1)
        return OutboxEntry(sequence: lastSequence, expires: now.after(milliseconds: settings.queuedMaximumAge))
    }

    /// A failed message goes to the end of the queue. One that may have arrived is looked for first.
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

    /// The message waits for nothing any more.
    mutating func remove(_ id: MessageID) { queue.removeAll { $0 == id } }

    // MARK: Going out

    /// Hands the first message that is ready to the socket. One message is on its way at a time: whatever the network
    /// does to it, the next one cannot overtake it. Nothing goes out while the outcome of one is unknown.
    mutating func drain(_ window: inout MessageWindow, uploading: Set<MessageID>, at now: Moment) -> [CoreAction] {
        guard !isOutcomeUnknown(window) else { return [] }
        // A message that is held back, or whose files are still being uploaded, does not delay the others.
        let due = queue.first { window[$0]?.delivery?.entry?.notBefore == nil && !uploading.contains($0) }
        guard let due, let message = window[due], case .own(.queued(let entry, let deadline)) = message.state else {
            return []
        }
        var end = deadline ?? now.after(milliseconds: settings.sendTimeout)
        // Looked up because nothing failed it: it would be unanswered at once.
        if let over = unansweredEnd(.sending(entry, deadline: end)), over <= now.monotonic {
            end = now.after(milliseconds: settings.sendTimeout)
        }
        return set(.sending(entry, deadline: end), due, &window) + [.sendMessage(message)]
    }

    /// The frame of a message did not go out after all, because that could not be stored.
    mutating func takeBack(_ id: MessageID, _ window: inout MessageWindow) {
        guard var message = window[id], case .own(.sending(let entry, let deadline)) = message.state else { return }
        message.state = .own(.queued(entry, deadline: deadline))
        window.save(message)
    }

    // MARK: Replies

    /// The server has the message.
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

    /// The server refused the message: it fails at once. A later try without a reply may have arrived.
    mutating func refused(
        _ id: MessageID, _ refusal: ServerRefusal, mayHaveArrived: Bool, _ window: inout MessageWindow
    ) -> [CoreAction] {
        guard let delivery = window[id]?.delivery, !delivery.isConfirmed else { return [] }
        return fail(id, .refused(refusal), mayHaveArrived: mayHaveArrived, &window)
    }

    /// The server refused the token, not the message: it keeps its place.
    mutating func returned(_ id: MessageID, _ window: inout MessageWindow) -> [CoreAction] {
        guard case .own(.sending(let entry, let deadline)) = window[id]?.state else { return [] }
        return set(.queued(entry, deadline: deadline), id, &window)
    }

    /// Looks up messages whose replies are overdue, because they hold up the queue until their deadlines. A message that
    /// used up `mostLosses` keeps waiting for its deadline.
    mutating func overdue(_ ids: [MessageID], mostLosses: Int, _ window: inout MessageWindow) -> [CoreAction] {
        var actions: [CoreAction] = []
        for id in ids {
            guard case .own(.sending(let entry, let deadline)) = window[id]?.state, entry.losses < mostLosses else {
                continue
            }
            actions.append(
                .log(.webSocket, "message \(id) has no answer, what went out after it has one: it is looked up"))
            actions += set(.unconfirmed(entry, deadline: deadline), id, &window)
            actions.append(.lookUp)
        }
        return actions
    }

    /// The socket is gone: what was on its way may have arrived.
    mutating func socketIsGone(_ window: inout MessageWindow) -> [CoreAction] {
        var actions: [CoreAction] = []
        for id in queue {
            guard case .own(.sending(let entry, let deadline)) = window[id]?.state else { continue }
            actions += set(.unconfirmed(entry, deadline: deadline), id, &window)
            actions.append(.lookUp)
        }
        return actions
    }

    // MARK: Look-ups

    /// The history was asked and does not hold these messages: they never arrived. `mostLosses` says how often that may
    /// happen to one; a message that the user sends again begins anew.
    mutating func resolveUnconfirmed(
        mostLosses: Int, _ window: inout MessageWindow, at now: Moment
    ) -> [CoreAction] {
        var actions: [CoreAction] = []
        for id in queue {
            guard case .own(.unconfirmed(var entry, let deadline)) = window[id]?.state else { continue }
            // Without a deadline it was looked up because the user wants it again, not because it was lost again; the
            // time that the look-up had is over.
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

    /// The history cannot be asked, and there is a socket: a message that is only looked up before it goes again has
    /// `sendTimeout` from now, so that it does not hold up the others for as long as the history fails.
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
        // The history knows whether it arrived; nobody should send again what did.
        if mayHaveArrived { actions.append(.lookUp) }
        return actions + [.log(.error, "message \(id) failed: \(failure.logged)")]
    }

    /// Fails what is due: on the monotonic clock in deadline mode, at a tick in the documented mode.
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
                // A look-up that did not come to an end is a try that did not.
                let failure: SendFailure = delivery.isLookUp ? .timedOut : .expired
                actions += fail(id, failure, mayHaveArrived: mayHaveArrived, &window)
            } else if case .sending(_, let deadline) = delivery, let end = unansweredEnd(delivery),
                end <= now.monotonic
            {
                actions += set(.unconfirmed(entry, deadline: deadline), id, &window)
                actions.append(.lookUp)
            }
        }
        return actions
    }

    /// When the message is given up for its age alone. In deadline mode one that was tried has its deadline instead; the
    /// documented timer need not run, so that only this ends what it never looks at.
    private func expires(_ delivery: Delivery) -> Deadline? {
        guard delivery.deadline == nil || settings.sendTimeoutMode == .documentedTimer else { return nil }
        return delivery.entry?.expires
    }

    /// Where the documented timer does not run, a message that is not answered for twice `sendTimeout` is looked up, on
    /// the monotonic clock: nobody fails it, and it would hold up the others as long as the socket lives.
    private func unansweredEnd(_ delivery: Delivery) -> Int64? {
        guard settings.sendTimeoutMode == .documentedTimer, case .sending(_, let deadline) = delivery else {
            return nil
        }
        return deadline.monotonic.saturatingAdd(settings.sendTimeout.saturatingMultiply(1_000_000))
    }

    /// The time for which the message was held back is over. The store need not know: to the next process the time is
    /// over too.
    private static func release(_ id: MessageID, _ window: inout MessageWindow) {
        guard var message = window[id], case .own(.queued(var entry, let deadline)) = message.state else { return }
        entry.notBefore = nil
        message.state = .own(.queued(entry, deadline: deadline))
        window.save(message)
    }

    /// Back in the foreground the stored wall-clock deadlines count: the device may have slept on another clock.
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

    /// The documented timer runs while somebody looks at the screen and a dialog is active, which `isWatched` says.
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
