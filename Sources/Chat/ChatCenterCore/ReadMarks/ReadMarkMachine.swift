import ChatWire

/// A state machine for read marks and the unread count. The count is computed locally and corrected by the server's
/// count. The window owns the messages; each method receives it.
struct ReadMarkMachine: Hashable, Sendable {
    /// The largest number of statuses in one frame. Further ones follow in the next frame.
    static let longestStatusList = 100
    /// How often the same read marks are sent on one socket without an answer. After that, they wait for a new socket
    /// or for new messages that are read.
    static let mostTries = 3

    /// The delay between the end of a poll and the next one, in milliseconds; 0 disables polling.
    private let pollInterval: Int64
    /// The difference between the server's count and the local one: unread messages outside the window.
    private var correction = 0
    /// The time of the server's count: the date of its newest message if the server sent it, otherwise the time of the
    /// answer on the server's clock as far as it is known.
    private var countedUntil = Int64.min
    /// Whether `countedUntil` is the date of the newest message.
    private var isCountDated = false
    /// The count that was last reported.
    private var told = 0
    /// Whether a message arrived or was read while a call was in progress. Its answer may or may not include the
    /// message.
    private var isAnswerAmbiguous = false
    /// How often the read marks were sent since the last answer.
    private var tries = 0
    /// The time of the next poll, on the monotonic clock.
    private(set) var wake: Int64?

    init(pollInterval: Int64) {
        self.pollInterval = pollInterval
    }

    /// Returns the unread count for the host application.
    func count(in window: MessageWindow) -> Int { max(0, window.unreadCount + correction) }

    // MARK: Users and sockets

    /// Deletes the user's state.
    mutating func forgetUser() { self = ReadMarkMachine(pollInterval: pollInterval) }

    /// Records that the host application was told an unread count of 0.
    mutating func toldNothing() { told = 0 }

    /// Records that the read marks must be sent again on the next socket.
    mutating func socketIsGone() { tries = 0 }

    // MARK: Messages

    /// Records that new messages arrived on the socket. A pending answer may or may not include them.
    mutating func newsArrived() { isAnswerAmbiguous = true }

    /// Records that a message was added, which the server's count may include. `time` decides if the count has the
    /// date of its newest message. Otherwise `time` is compared with an estimate, and a message with `wasMissed` is
    /// included in any case.
    mutating func held(_ message: StoredMessage, time: Int64?, wasMissed: Bool) {
        guard message.isUnread, correction > 0 else { return }
        let isCounted =
            if isCountDated, let time { time <= countedUntil } else { wasMissed || (time ?? .max) <= countedUntil }
        if isCounted { correction -= 1 }
    }

    /// Marks all messages as read, because the screen is visible.
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

    // MARK: Read marks

    /// Reports read messages to the server, one batch at a time. A batch without an answer is sent again after
    /// `sendTimeout`, at most `mostTries` times per socket.
    mutating func sendMarks(of window: MessageWindow, isUnderWay: Bool) -> [CoreAction] {
        guard window.readHereCount > 0, tries < Self.mostTries, !isUnderWay else { return [] }
        tries += 1
        let batch = window.messages.lazy.filter { $0.state == .received(.readHere) }.prefix(Self.longestStatusList)
        return [
            .tellStatuses(
                batch.map { StatusChange(messageID: $0.statusID, status: .read) }, for: .reading(batch.map(\.id)))
        ]
    }

    /// Records that the server confirmed the reading of these messages.
    mutating func marksArrived(_ ids: [MessageID], in window: MessageWindow) -> [CoreAction] {
        tries = 0
        return ids.compactMap { id in
            guard var message = window[id], message.state == .received(.readHere) else { return nil }
            message.state = .received(.read)
            return .keep(message)
        }
    }

    /// Reports to the server that these new messages were delivered to this device.
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

    /// Requests the server's count for the host application.
    mutating func ask(_ ticket: Ticket, _ window: MessageWindow, isAuthorized: Bool) -> [CoreAction] {
        isAnswerAmbiguous = window.readHereCount > 0
        guard isAuthorized else { return [.notify(.unreadAnswer(ticket, .failure(.notAuthorized)))] }
        return [.call(.unread, for: .unreadQuestion(ticket))]
    }

    /// Schedules the next poll `pollInterval` after the end of the last one.
    mutating func schedulePoll(at now: Moment) {
        guard pollInterval > 0 else { return }
        wake = now.after(milliseconds: pollInterval).monotonic
    }

    /// Requests the server's count if that is possible; otherwise schedules the next poll.
    mutating func poll(_ window: MessageWindow, at now: Moment, isPossible: Bool) -> [CoreAction] {
        wake = nil
        guard isPossible else {
            schedulePoll(at: now)
            return []
        }
        isAnswerAmbiguous = window.readHereCount > 0
        return [.call(.unread, for: .unreadPoll)]
    }

    /// Starts a poll that is due.
    mutating func expire(_ window: MessageWindow, at now: Moment, isPossible: Bool) -> [CoreAction] {
        guard let wake, wake <= now.monotonic else { return [] }
        return poll(window, at: now, isPossible: isPossible)
    }

    /// Handles the server's count. The count is ignored if a new message may have crossed it, if it may include
    /// messages whose reading is not confirmed, or if the screen is visible.
    mutating func counted(
        _ answer: UnreadAnswer, in window: MessageWindow, at now: Moment, _ clock: ServerClock, isLooking: Bool
    ) {
        guard !isAnswerAmbiguous, !isLooking else { return }
        countedUntil = answer.lastDate ?? clock.time(at: now)
        isCountDated = answer.lastDate != nil
        correction = Int(clamping: min(max(answer.count, 0), 1_000_000)) - window.unreadCount
    }

    /// Handles the answer to a poll. The count is reported even if it did not change.
    mutating func pollAnswered(
        _ answer: UnreadAnswer, in window: MessageWindow, at now: Moment, _ clock: ServerClock, isLooking: Bool
    ) -> [CoreAction] {
        counted(answer, in: window, at: now, clock, isLooking: isLooking)
        told = self.count(in: window)
        schedulePoll(at: now)
        return [.notify(.unread(told))]
    }

    /// Reports the count if it changed.
    mutating func tell(_ window: MessageWindow) -> [CoreAction] {
        let count = count(in: window)
        guard count != told else { return [] }
        told = count
        return [.notify(.unread(count))]
    }
}
