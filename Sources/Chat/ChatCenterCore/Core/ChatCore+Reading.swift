import ChatWire

// Read marks and the unread counter.
extension ChatCore {
    /// Statuses in one frame.
    static let longestStatusList = 100

    /// What the host application sees.
    var unreadCount: Int { max(0, window.unreadCount + unread.correction) }

    /// Whoever looks at the screen has read what is on it.
    mutating func markVisibleMessagesRead(_ turn: inout Turn) {
        guard stage.visible != nil, isForeground, let user = session?.user.clientID else { return }
        unread.correction = 0
        guard window.unreadCount > 0 else { return }
        for var message in window.messages where message.isUnread {
            message.state = .received(.readHere)
            window.save(message)
            turn.save(.saveMessage(message), of: user)
        }
        unread.isAnswerAmbiguous = true
        readMarkTries = 0
    }

    /// How often the same read marks go out on one socket without an answer.
    static let mostReadMarkTries = 3

    /// Tells the server what was read, one batch at a time. A batch without an answer goes again after `sendTimeout`,
    /// a few times, and on the next socket.
    mutating func sendReadMarks(_ turn: inout Turn) {
        guard window.readHereCount > 0, readMarkTries < Self.mostReadMarkTries,
            !frames.contains(where: \.isReading)
        else { return }
        readMarkTries += 1
        let batch = window.messages.lazy.filter { $0.state == .received(.readHere) }.prefix(Self.longestStatusList)
        let changes = batch.map { StatusChange(messageID: $0.statusID, status: .read) }
        transmit(
            .updateStatuses(Array(changes), deviceAddress: session?.deviceAddress), for: .reading(batch.map(\.id)),
            &turn)
    }

    /// The server knows that these were read.
    mutating func readMarksArrived(_ ids: [MessageID], _ turn: inout Turn) {
        guard let user = session?.user.clientID else { return }
        readMarkTries = 0
        for id in ids {
            guard var message = window[id], message.state == .received(.readHere) else { continue }
            message.state = .received(.read)
            window.save(message)
            turn.save(.saveMessage(message), of: user)
        }
    }

    /// New messages arrived on this device. Those that are read at once are told as read.
    mutating func sendDeliveredMarks(_ ids: [MessageID], _ turn: inout Turn) {
        guard socket.isReady, stage.visible == nil || !isForeground else { return }
        var rest = ids[...]
        while !rest.isEmpty {
            let changes = rest.prefix(Self.longestStatusList).compactMap { id in
                window[id].map { StatusChange(messageID: $0.statusID, status: .delivered) }
            }
            rest = rest.dropFirst(Self.longestStatusList)
            transmit(.updateStatuses(changes, deviceAddress: session?.deviceAddress), for: .courtesy, &turn)
        }
    }

    // MARK: The counter

    mutating func askUnreadCount(_ ticket: Ticket, _ turn: inout Turn) {
        unread.isAnswerAmbiguous = window.readHereCount > 0
        if call(.unread, for: .unreadQuestion(ticket), &turn) == nil {
            turn.emit(.notify(.unreadAnswer(ticket, .failure(.notAuthorized))))
        }
    }

    /// The next poll begins `unreadMessageCountDelay` after the last one ended.
    mutating func schedulePoll(_ now: Moment) {
        guard settings.unreadMessageCountDelay > 0, session != nil else { return }
        unread.pollAt =
            now.after(milliseconds: settings.unreadMessageCountDelay.saturatingMultiply(1000)).monotonic
    }

    mutating func pollUnread(_ turn: inout Turn) {
        guard mayCall, !calls.contains(where: { $0.purpose == .unreadPoll }) else {
            schedulePoll(turn.now)
            return
        }
        unread.isAnswerAmbiguous = window.readHereCount > 0
        _ = call(.unread, for: .unreadPoll, &turn)
    }

    mutating func pollAnswered(_ count: Int64, _ turn: inout Turn) {
        correctUnread(count, turn.now)
        unread.told = unreadCount
        turn.emit(.notify(.unread(unreadCount)))
        schedulePoll(turn.now)
    }

    /// What the server counted beyond what is held here. An answer that a new message may have crossed is left out, and
    /// so is one that may count what was read here without the server's knowledge.
    mutating func correctUnread(_ count: Int64, _ now: Moment) {
        guard !unread.isAnswerAmbiguous, stage.visible == nil else { return }
        unread.countedUntil = serverClock.time(at: now)
        unread.correction = Int(clamping: min(max(count, 0), 1_000_000)) - window.unreadCount
    }

    mutating func tellUnread(_ turn: inout Turn) {
        guard session != nil, unreadCount != unread.told else { return }
        unread.told = unreadCount
        turn.emit(.notify(.unread(unreadCount)))
    }
}
