import ChatCenterCore
import ChatWire

// What becomes of messages, as it is told.
extension World {
    func acknowledged(_ ticket: Ticket, _ result: Result<MessageID, SendRefusal>, _ client: Int) {
        answered(ticket, client)
        switch result {
        case .success(let id):
            guard let index = clients[client].watch.index(of: id) else {
                return complain(.oneAnswer, "\(name(client)) acknowledged \(id), which nobody sent")
            }
            clients[client].watch.messages[index].isAcknowledged = true
            figures.sent += 1
        case .failure:
            // The newest one: `send` is answered in its own turn.
            guard let index = clients[client].watch.messages.indices.last else { return }
            clients[client].watch.messages[index].isRefused = true
            clients[client].watch.messages[index].isGivenUp = true
        }
    }

    /// Whoever waits with this ticket has his answer.
    private func answered(_ ticket: Ticket, _ client: Int) {
        let count = (clients[client].watch.tickets[ticket.number] ?? 1) + 1
        clients[client].watch.tickets[ticket.number] = count
        if count > 1 { complain(.oneAnswer, "\(name(client)) answered ticket \(ticket.number) twice, or unasked") }
    }

    func noticed(_ notice: SDKNotice, _ client: Int) {
        switch notice {
        case .message(let id, let state): told(id, state, client)
        case .received(let ids):
            for id in ids where !clients[client].watch.received.insert(id).inserted {
                complain(.nothingTwice, "\(name(client)) told twice that \(id) is new")
            }
        case .unread(let count): unreadTold(count, client)
        case .loggedOut(let ticket, let outcome):
            answered(ticket, client)
            loggedOut(ticket, outcome, client)
        case .unreadAnswer(let ticket, _), .searchAnswer(let ticket, _): answered(ticket, client)
        case .reauthorizationNeeded:
            after(milliseconds: 1500, .reauthorize(client: client, life: clients[client].life))
        default: break
        }
    }

    private func told(_ id: MessageID, _ state: ChatMessageState, _ client: Int) {
        guard let index = clients[client].watch.index(of: id) else { return }
        var message = clients[client].watch.messages[index]
        // A working store has the state before anybody is told.
        if state.isEnd, state != message.kept, !clients[client].isBehind {
            complain(.fateIsTold, "\(name(client)): \(id) is told as \(state) and kept as something else")
        }
        if let before = message.told {
            let goesBack =
                before.rank > state.rank || before.isFailed && state.rank == 0 && !message.mayBeOvertaken
                || before.rank > 0 && state.isFailed
            // What was told while the disk was full is not known to the process after it.
            if goesBack, !message.wasToldUnsaved {
                complain(.fateIsTold, "\(name(client)): \(id) went from \(before) to \(state)")
            }
        }
        message.told = state
        message.wasToldUnsaved = clients[client].isBehind
        switch state {
        case .failed:
            message.mayBeOvertaken = true
            message.handedOverAt = nil
            message.deadline = nil
            clients[client].watch.uploads.removeAll { $0.message == id }
            figures.failed += 1
        case .sent, .delivered, .read:
            message.handedOverAt = nil
            message.deadline = nil
        case .queued, .uploading, .sending: break
        }
        clients[client].watch.messages[index] = message
    }

    // MARK: Out and back

    /// A message goes out on a socket.
    func judge(_ content: Content, _ correlation: String, _ client: Int) {
        guard let uuid = content.uuid, let index = clients[client].watch.index(of: MessageID(uuid)) else { return }
        var message = clients[client].watch.messages[index]
        if message.isOutcomeUnknown {
            complain(.lookUpFirst, "\(name(client)) sends \(uuid) again without having looked for it")
        }
        if content.attachments.contains(where: { $0.result == nil }) {
            complain(.filesFirst, "\(name(client)) sends \(uuid) before its files")
        }
        message.isOutcomeUnknown = true
        message.callsBefore = clients[client].watch.calls
        message.correlation = correlation
        message.firstOutAt = message.firstOutAt ?? now
        message.transmissions += 1
        message.link = clients[client].core.liveGeneration.flatMap { clients[client].watch.links[$0.number] }
        message.pingsBefore = message.link.map { links[$0].pings } ?? 0
        message.overdueSince = nil
        message.isLookedUp = false
        if !message.isGivenUp {
            message.handedOverAt = message.handedOverAt ?? now
            clients[client].watch.mayWait = true
            message.deadline =
                message.deadline ?? now + SimulationClock.nanoseconds(clients[client].settings.sendTimeout)
        }
        clients[client].watch.messages[index] = message
    }

    /// A reply to a frame is back.
    func replied(_ correlation: String, _ client: Int) {
        for index in clients[client].watch.messages.indices
        where clients[client].watch.messages[index].correlation == correlation {
            clients[client].watch.messages[index].isOutcomeUnknown = false
        }
    }

    /// The server told what it has.
    func historyAnswered(_ id: ClientCallID, _ client: Int) {
        guard clients[client].watch.historyCalls.remove(id.number) != nil,
            let number = clients[client].watch.callNumbers[id.number]
        else { return }
        for index in clients[client].watch.messages.indices
        where clients[client].watch.messages[index].callsBefore < number {
            clients[client].watch.messages[index].isOutcomeUnknown = false
        }
    }

    // MARK: Time

    /// Milliseconds; the clocks are compared after rounding.
    static let slack: Int64 = 5

    /// No message waits for an answer longer than its mode allows. Before a turn: the timer came in time. After it: the
    /// core did what was due.
    func judgeDeadlines(_ client: Int, isBefore: Bool) {
        guard clients[client].isForeground, clients[client].watch.mayWait else { return }
        guard clients[client].watch.messages.contains(where: { $0.handedOverAt != nil }) else {
            clients[client].watch.mayWait = false
            return
        }
        guard let user = clients[client].core.authorisedClientID else { return }
        let timeout = SimulationClock.nanoseconds(clients[client].settings.sendTimeout)
        for message in clients[client].watch.messages where message.handedOverAt != nil && message.user == user {
            guard let start = message.handedOverAt else { continue }
            var limit: Int64
            switch clients[client].settings.sendTimeoutMode {
            case .deadline:
                limit = message.deadline ?? .max
                if isBefore { limit = max(limit, clients[client].judgedSince) }
            case .documentedTimer:
                guard let active = clients[client].watch.activeSince else { continue }
                limit = max(start, active) + 2 * timeout
            }
            if now > limit, now - limit > SimulationClock.nanoseconds(Self.slack) {
                complain(
                    .failsInTime,
                    "\(name(client)): \(message.id) went out at \(start / 1_000_000) and has not failed yet")
            }
        }
    }

    /// The documented timer runs while the screen is open in the foreground and a dialog is active.
    func judgeActivity(_ client: Int) {
        guard clients[client].settings.sendTimeoutMode == .documentedTimer else { return }
        let isActive =
            clients[client].isForeground && clients[client].visibleScreen != nil
            && clients[client].core.isDialogActive
        if !isActive {
            clients[client].watch.activeSince = nil
        } else if clients[client].watch.activeSince == nil {
            clients[client].watch.activeSince = now
        }
    }
}

extension ChatMessageState {
    /// The order of those that the server has; 0 for all others.
    var rank: Int {
        switch self {
        case .sent: 1
        case .delivered: 2
        case .read: 3
        case .queued, .uploading, .sending, .failed: 0
        }
    }

    var isFailed: Bool {
        if case .failed = self { true } else { false }
    }

    /// Whether the state is final.
    var isEnd: Bool { rank > 0 || isFailed }
}
