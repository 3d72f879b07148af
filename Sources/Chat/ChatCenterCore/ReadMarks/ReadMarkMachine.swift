import ChatWire

/// Read marks and the unread counter as a state machine: what is counted here, corrected by what the server counted. The
/// messages belong to the window, which comes with each event.
struct ReadMarkMachine: Hashable, Sendable {
    /// Statuses in one frame.
    static let longestStatusList = 100
    /// How often the same read marks go out on one socket without an answer.
    static let mostTries = 3

    /// Milliseconds from the end of a poll to the next one; 0 for no polls.
    private let pollInterval: Int64
    /// How many more the server counted than are held here; unread messages beyond the window.
    private var correction = 0
    /// When the server counted, by its own clock as far as it is known.
    private var countedUntil = Int64.min
    /// What was told last.
    private var told = 0
    /// A message came, or was read, while a question was under way: its answer may or may not count it.
    private var isAnswerAmbiguous = false
    /// How often the read marks went out since the last answer.
    private var tries = 0
    /// When the next poll is due, on the monotonic clock.
    private(set) var wake: Int64?

    init(pollInterval: Int64) {
        self.pollInterval = pollInterval
    }

    /// What the host application sees.
    func count(in window: MessageWindow) -> Int { max(0, window.unreadCount + correction) }

    // MARK: Users and sockets

    /// Another user, or none: nothing of the one before stays.
    mutating func forgetUser() { self = ReadMarkMachine(pollInterval: pollInterval) }

    /// The host application was told that nothing is unread.
    mutating func toldNothing() { told = 0 }

    /// On the next socket the read marks go out again.
    mutating func socketIsGone() { tries = 0 }

    // MARK: Messages

    /// New messages came on the socket, which an answer that is under way may or may not count.
    mutating func newsArrived() { isAnswerAmbiguous = true }

    /// A message is held now. `wasMissed` says that it may have come before the server counted; one of a `time` before that
    /// did in any case.
    mutating func held(_ message: StoredMessage, time: Int64?, wasMissed: Bool) {
        // What was missed may have been counted by the server before it came, whichever way it comes now.
        if message.isUnread, wasMissed || (time ?? .max) <= countedUntil, correction > 0 { correction -= 1 }
    }

    /// Whoever looks at the screen has read what is on it.
    mutating func lookedAt(_ window: MessageWindow) -> [CoreAction] {
        correction = 0
        guard window.unreadCount > 0 else { return [] }
        isAnswerAmbiguous = true
        tries = 0
        return window.messages.compactMap { message in
            guard message.isUnread else { return nil }
            var message = message
            message.state = .received(.readHere)
            return .keep(message)
        }
    }

    // MARK: Marks

    /// Tells the server what was read, one batch at a time. A batch without an answer goes again after `sendTimeout`,
    /// a few times, and on the next socket.
    mutating func sendMarks(of window: MessageWindow, isUnderWay: Bool) -> [CoreAction] {
        guard window.readHereCount > 0, tries < Self.mostTries, !isUnderWay else { return [] }
        tries += 1
        let batch = window.messages.lazy.filter { $0.state == .received(.readHere) }.prefix(Self.longestStatusList)
        return [
            .tellStatuses(
                batch.map { StatusChange(messageID: $0.statusID, status: .read) }, for: .reading(batch.map(\.id)))
        ]
    }

    /// The server knows that these were read.
    mutating func marksArrived(_ ids: [MessageID], in window: MessageWindow) -> [CoreAction] {
        tries = 0
        return ids.compactMap { id in
            guard var message = window[id], message.state == .received(.readHere) else { return nil }
            message.state = .received(.read)
            return .keep(message)
        }
    }

    /// Tells the server that these new messages arrived on this device.
    func sendDelivered(_ ids: [MessageID], in window: MessageWindow) -> [CoreAction] {
        var actions: [CoreAction] = []
        var rest = ids[...]
        while !rest.isEmpty {
            let changes = rest.prefix(Self.longestStatusList).compactMap { id in
                window[id].map { StatusChange(messageID: $0.statusID, status: .delivered) }
            }
            rest = rest.dropFirst(Self.longestStatusList)
            actions.append(.tellStatuses(changes, for: .courtesy))
        }
        return actions
    }

    // MARK: The counter

    /// The host application wants the server's count.
    mutating func ask(_ ticket: Ticket, _ window: MessageWindow, isAuthorized: Bool) -> [CoreAction] {
        isAnswerAmbiguous = window.readHereCount > 0
        guard isAuthorized else { return [.notify(.unreadAnswer(ticket, .failure(.notAuthorized)))] }
        return [.call(.unread, for: .unreadQuestion(ticket))]
    }

    /// The next poll begins `pollInterval` after the last one ended.
    mutating func schedulePoll(at now: Moment) {
        guard pollInterval > 0 else { return }
        wake = now.after(milliseconds: pollInterval).monotonic
    }

    /// Asks for the server's count unless that is not possible, or under way.
    mutating func poll(_ window: MessageWindow, at now: Moment, isPossible: Bool) -> [CoreAction] {
        wake = nil
        guard isPossible else {
            schedulePoll(at: now)
            return []
        }
        isAnswerAmbiguous = window.readHereCount > 0
        return [.call(.unread, for: .unreadPoll)]
    }

    /// Does what is due.
    mutating func expire(_ window: MessageWindow, at now: Moment, isPossible: Bool) -> [CoreAction] {
        guard let wake, wake <= now.monotonic else { return [] }
        return poll(window, at: now, isPossible: isPossible)
    }

    /// The server counted. An answer that a new message may have crossed is left out, and so is one that may count what was
    /// read here without the server's knowledge, and one that comes while the user looks at the messages.
    mutating func counted(
        _ count: Int64, in window: MessageWindow, at now: Moment, _ clock: ServerClock, isLooking: Bool
    ) {
        guard !isAnswerAmbiguous, !isLooking else { return }
        countedUntil = clock.time(at: now)
        correction = Int(clamping: min(max(count, 0), 1_000_000)) - window.unreadCount
    }

    /// A poll was answered: the count is told, even if it is the same.
    mutating func pollAnswered(
        _ count: Int64, in window: MessageWindow, at now: Moment, _ clock: ServerClock, isLooking: Bool
    ) -> [CoreAction] {
        counted(count, in: window, at: now, clock, isLooking: isLooking)
        told = self.count(in: window)
        schedulePoll(at: now)
        return [.notify(.unread(told))]
    }

    /// Tells the count where it has changed.
    mutating func tell(_ window: MessageWindow) -> [CoreAction] {
        let count = count(in: window)
        guard count != told else { return [] }
        told = count
        return [.notify(.unread(count))]
    }
}
