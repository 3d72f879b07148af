import ChatWire

/// The operator desk: assignments, notes, presence and the feed of changes.
///
/// All changes of conversations reach the desks through the writes of a turn. Therefore no change can be committed
/// without a number in the feed.
struct Desk: Hashable, Sendable {
    private var feed: DeskFeed
    private(set) var presence: DeskPresence
    private(set) var assignments: DeskAssignments
    private(set) var notes: DeskNotes
    let limits: DeskLimits

    init(limits: DeskLimits, restored: DeskSnapshot) {
        self.limits = limits
        feed = DeskFeed(limit: limits.changes)
        presence = DeskPresence(limit: limits.seats)
        assignments = DeskAssignments(restored: restored.assignments)
        notes = DeskNotes(limits: limits, restored: restored.notes)
    }

    /// Returns whether the bot may answer a client. It does not disturb an operator.
    func leavesToBot(_ clientID: String) -> Bool { assignments[clientID] == nil }

    /// Returns the position of the newest change.
    mutating func position(_ turn: inout ServerTurn) -> DeskPosition {
        feed.begin { String(turn.identifiers.hexadecimal().prefix(16)) }
    }

    // MARK: Changes

    /// Ends the assignments of conversations that were closed in this turn, and numbers the turn's changes.
    ///
    /// Returns the events for open desks; none if no desk is open.
    mutating func observe(_ turn: inout ServerTurn, _ conversations: Conversations) -> [DeskEvent] {
        guard !turn.writes.isEmpty else { return [] }
        for write in turn.writes {
            guard case .client(let record) = write, !record.isThreadOpen, assignments.release(record.clientID) else {
                continue
            }
            turn.write(.desk(.released(clientID: record.clientID)))
        }
        var entries: [DeskFeed.Entry] = []
        var changed: [String] = []
        func add(_ reference: DeskFeed.Reference?, _ clientID: String) {
            if let reference { entries.append(.init(number: feed.append(reference), reference: reference)) }
            if changed.last != clientID { changed.append(clientID) }
        }
        for write in turn.writes {
            switch write {
            case .client(let record): add(nil, record.clientID)
            case .message(let message), .messageChanged(let message):
                add(.message(clientID: message.clientID, messageID: message.messageID), message.clientID)
            case .messagesRemoved(let clientID, let through):
                add(.removed(clientID: clientID, through: through), clientID)
            case .desk(.noted(let note)):
                add(.note(clientID: note.clientID, noteID: note.noteID), note.clientID)
            case .desk(.assigned(let assignment)): add(nil, assignment.clientID)
            case .desk(.released(let clientID)): add(nil, clientID)
            case .device, .deviceRemoved: continue
            }
        }
        for clientID in changed {
            let reference = DeskFeed.Reference.conversation(clientID: clientID)
            entries.append(.init(number: feed.append(reference), reference: reference))
        }
        guard presence.hasStreams else { return [] }
        return entries.compactMap { event($0, conversations) }
    }

    /// Returns a change with its current content; `nil` if the content was removed meanwhile.
    private func event(_ entry: DeskFeed.Entry, _ conversations: Conversations) -> DeskEvent? {
        let change: DeskChange? =
            switch entry.reference {
            case .message(let clientID, let messageID):
                conversations[clientID]?.log[messageID: messageID].map { .message($0) }
            case .removed(let clientID, let through): .removed(clientID: clientID, through: through)
            case .note(let clientID, let noteID): notes.note(noteID, about: clientID).map { .note($0) }
            case .conversation(let clientID): row(of: clientID, conversations).map { .conversation($0) }
            }
        return change.map { .changed(feed.position(of: entry.number), $0) }
    }

    // MARK: Presence

    /// Takes a seat. Returns the events for open desks.
    mutating func sit(
        _ seat: DeskSeat, _ person: DeskOperator, clientID: String?, at now: Int64
    ) -> (isSeated: Bool, events: [DeskEvent]) {
        let before = presence.colleagues
        let expires: Int64? = if case .page = seat { now.addingClamped(limits.pageTime) } else { nil }
        let isSeated = presence.sit(seat, person, clientID: clientID, until: expires)
        return (isSeated, news(since: before))
    }

    /// Frees a seat. Returns the events for open desks.
    mutating func leave(_ seat: DeskSeat) -> [DeskEvent] {
        let before = presence.colleagues
        return presence.leave(seat) ? news(since: before) : []
    }

    /// Frees the seats whose time has passed. Returns the events for open desks.
    mutating func expire(at now: Int64) -> [DeskEvent] {
        let before = presence.colleagues
        return presence.expire(at: now) ? news(since: before) : []
    }

    private func news(since before: [DeskColleague]) -> [DeskEvent] {
        presence.hasStreams && presence.colleagues != before ? [.present(presence.colleagues)] : []
    }

    /// Returns what a stream has missed since a position.
    mutating func catchUp(
        after position: DeskPosition?, _ conversations: Conversations, _ turn: inout ServerTurn
    ) -> DeskCatchUp {
        let newest = self.position(&turn)
        let missed = feed.changes(after: position ?? newest)?.compactMap { event($0, conversations) }
        return DeskCatchUp(events: missed, colleagues: presence.colleagues, position: newest)
    }

    // MARK: Actions

    /// Assigns a conversation. Throws if it is assigned to another operator.
    ///
    /// Returns whether the assignment is new.
    mutating func claim(
        _ clientID: String, by person: DeskOperator, from predecessor: String? = nil, _ turn: inout ConversationTurn
    ) throws(OperatorRefusal) -> Bool {
        switch assignments.claim(clientID, by: person, from: predecessor, at: turn.now.wall) {
        case .assigned(let assignment):
            turn.write(.desk(.assigned(assignment)))
            return true
        case .unchanged: return false
        case .taken(let colleague): throw .assigned(to: colleague)
        }
    }

    /// Throws if a conversation is assigned to another operator.
    func permit(_ person: DeskOperator, in clientID: String) throws(OperatorRefusal) {
        guard let assignee = assignments[clientID]?.operator, assignee.id != person.id else { return }
        throw .assigned(to: assignee)
    }

    /// Ends an assignment.
    mutating func release(_ clientID: String, _ turn: inout ConversationTurn) {
        if assignments.release(clientID) { turn.write(.desk(.released(clientID: clientID))) }
    }

    /// Adds a note, unless one with its id exists.
    mutating func add(_ note: DeskNote, _ turn: inout ConversationTurn) throws(OperatorRefusal) {
        guard notes.note(note.noteID, about: note.clientID) == nil else { return }
        try notes.add(note)
        turn.write(.desk(.noted(note)))
    }
}

extension OperatorRefusal {
    fileprivate static func assigned(to colleague: DeskOperator) -> OperatorRefusal {
        OperatorRefusal(.assigned, "The conversation is assigned to \(colleague.name).")
    }
}
