import ChatCenterCore
import ChatWire

/// The rules for the states of one client's messages.
struct SendRules {
    let client: ClientNode

    init(_ client: ClientNode) {
        self.client = client
    }

    func acknowledged(_ ticket: Ticket, _ result: Result<MessageID, SendRefusal>, _ record: inout RunRecord) {
        answered(ticket, &record)
        switch result {
        case .success(let id):
            guard let index = client.watch.index(of: id) else {
                return record.complain(.oneAnswer, "\(client.name) acknowledged \(id), which no client sent")
            }
            client.watch.messages[index].isAcknowledged = true
            record.tally { $0.sent += 1 }
        case .failure(let refusal):
            judge(refusal, &record)
            // The newest message, because `send` is answered in its own turn.
            guard let index = client.watch.messages.indices.last else { return }
            client.watch.messages[index].isRefused = true
            client.watch.messages[index].isGivenUp = true
        }
    }

    /// Checks that a message is refused only for a reason that applies.
    private func judge(_ refusal: SendRefusal, _ record: inout RunRecord) {
        // The state of a driver's core at the time of the refusal is unknown.
        guard client.host == nil else { return }
        let isRight =
            switch refusal {
            case .notAuthorized: client.reading.authorisedClientID == nil
            case .socketNotActive: !client.settings.outboxEnabled && !client.wasReady
            case .store: client.failedNow
            case .empty, .tooLong, .fileTooLarge, .fileTypeNotAllowed, .queueFull, .duplicate,
                .identifierInUse:
                false
            }
        if !isRight { record.complain(.oneAnswer, "\(client.name) refused a message: \(refusal)") }
    }

    /// Notes that the caller with this ticket was answered. Checks that this happens once.
    func answered(_ ticket: Ticket, _ record: inout RunRecord) {
        let count = (client.watch.tickets[ticket.number] ?? 1) + 1
        client.watch.tickets[ticket.number] = count
        if count > 1 {
            record.complain(
                .oneAnswer, "\(client.name) answered ticket \(ticket.number) more than once or without a request")
        }
    }

    /// Checks that new messages are reported once.
    func received(_ ids: [MessageID], _ record: inout RunRecord) {
        for id in ids where !client.watch.received.insert(id).inserted {
            record.complain(.nothingTwice, "\(client.name) reported \(id) as new twice")
        }
    }

    func told(_ id: MessageID, _ state: ChatMessageState, _ record: inout RunRecord) {
        guard let index = client.watch.index(of: id) else { return }
        var message = client.watch.messages[index]
        // A working store contains the state before it is reported. The store of a driver may contain a later state,
        // because frames that arrive together share a commit.
        let isPassed = client.host != nil && state.rank > 0 && message.kept.map { $0.rank > state.rank } == true
        if state.isEnd, state != message.kept, !isPassed, !client.isBehind {
            record.complain(.fateIsTold, "\(client.name): \(id) is reported as \(state) and stored in another state")
        }
        if let before = message.told {
            let goesBack =
                before.rank > state.rank || before.isFailed && state.rank == 0 && !message.mayBeOvertaken
                || before.rank > 0 && state.isFailed
            // The next process does not know a state that was reported while the disk was full.
            if goesBack, !message.wasToldUnsaved {
                record.complain(.fateIsTold, "\(client.name): \(id) went from \(before) to \(state)")
            }
        }
        message.told = state
        message.wasToldUnsaved = client.isBehind
        switch state {
        case .failed:
            message.mayBeOvertaken = true
            message.handedOverAt = nil
            message.deadline = nil
            client.watch.uploads.removeAll { $0.message == id }
            record.tally { $0.failed += 1 }
        case .sent, .delivered, .read:
            message.handedOverAt = nil
            message.deadline = nil
        case .queued, .uploading, .sending: break
        }
        client.watch.messages[index] = message
    }

    // MARK: Frames and calls

    /// Checks a message that is sent, and notes that its outcome is unknown.
    func judge(_ content: Content, _ correlation: String, _ links: LinkTable, _ record: inout RunRecord) {
        guard let uuid = content.uuid, let index = client.watch.index(of: MessageID(uuid)) else { return }
        var message = client.watch.messages[index]
        if message.isOutcomeUnknown {
            record.complain(.lookUpFirst, "\(client.name) sends \(uuid) again without a look-up")
        }
        if content.attachments.contains(where: { $0.result == nil || $0.state != .ready }) {
            record.complain(.filesFirst, "\(client.name) sends \(uuid) before its files are uploaded")
        }
        if message.number == client.watch.quotingNumber, content.quotes.isEmpty {
            record.complain(.nothingLost, "\(client.name) sends \(uuid) without its quote")
        }
        message.isOutcomeUnknown = true
        message.callsBefore = client.watch.calls
        message.correlation = correlation
        message.firstOutAt = message.firstOutAt ?? record.now
        message.transmissions += 1
        message.link = client.reading.liveGeneration.flatMap { client.watch.links[$0.number] }
        message.pingsBefore = message.link.map { links[$0].pings } ?? 0
        message.overdueSince = nil
        message.laterReplySince = nil
        message.isLookedUp = false
        if !message.isGivenUp {
            message.handedOverAt = message.handedOverAt ?? record.now
            client.watch.mayWait = true
            message.deadline =
                message.deadline ?? record.now + SimulationClock.nanoseconds(client.settings.sendTimeout)
        }
        client.watch.messages[index] = message
    }

    /// Notes the reply to a frame.
    func replied(_ correlation: String, at now: Int64) {
        if let frame = Self.frame(correlation) {
            for index in client.watch.messages.indices {
                let message = client.watch.messages[index]
                guard message.isOutcomeUnknown, message.laterReplySince == nil,
                    let own = message.correlation.flatMap(Self.frame), own.socket == frame.socket,
                    own.number < frame.number
                else { continue }
                client.watch.messages[index].laterReplySince = now
            }
        }
        for index in client.watch.messages.indices
        where client.watch.messages[index].correlation == correlation {
            client.watch.messages[index].isOutcomeUnknown = false
        }
    }

    /// Returns a frame's socket and number, which its correlation ID contains.
    private static func frame(_ correlation: String) -> (socket: Int, number: Int)? {
        let numbers = correlation.split(separator: "-").compactMap { Int($0) }
        return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
    }

    /// Notes a request for the history. Checks that failed requests are repeated after a delay.
    func historyRequested(_ id: CallID, _ record: inout RunRecord) {
        client.watch.historyCalls.insert(id.number)
        guard client.watch.historyFailedAt == record.now else { return }
        client.watch.hastyRequests += 1
        if client.watch.hastyRequests > Self.mostHastyRequests {
            record.complain(.rest, "\(client.name) repeats failed requests for the history without a delay")
        }
    }

    /// A better connection or an older request that fails permits a request without a delay.
    private static let mostHastyRequests = 5

    /// Notes the answer to a call.
    func answered(_ id: CallID, _ result: Result<RESTAnswer, TransportFailure>, at now: Int64) {
        client.watch.configurationCalls.remove(id.number)
        if let user = client.watch.deletions.removeValue(forKey: id.number), result == .success(.deviceDeleted) {
            client.watch.confirmedLogouts.insert(user)
        }
        if case .success(.history) = result { return historyAnswered(id) }
        if client.watch.historyCalls.remove(id.number) != nil { client.watch.historyFailedAt = now }
    }

    /// Notes the answer to a request for the history.
    func historyAnswered(_ id: CallID) {
        guard client.watch.historyCalls.remove(id.number) != nil,
            let number = client.watch.callNumbers[id.number]
        else { return }
        client.watch.hastyRequests = 0
        for index in client.watch.messages.indices
        where client.watch.messages[index].callsBefore < number {
            client.watch.messages[index].isOutcomeUnknown = false
        }
    }

    // MARK: Time

    /// In milliseconds. Clocks are compared after rounding.
    static let slack: Int64 = 5

    /// Checks that no message waits for its reply longer than its timeout mode permits. Called before a turn, to check
    /// that the timer fired in time, and after it.
    func judgeDeadlines(isBefore: Bool, _ record: inout RunRecord) {
        guard client.isForeground, client.watch.mayWait else { return }
        guard client.watch.messages.contains(where: { $0.handedOverAt != nil }) else {
            client.watch.mayWait = false
            return
        }
        guard let user = client.reading.authorisedClientID else { return }
        let timeout = SimulationClock.nanoseconds(client.settings.sendTimeout)
        for message in client.watch.messages where message.handedOverAt != nil && message.user == user {
            guard let start = message.handedOverAt else { continue }
            var limit: Int64
            switch client.settings.sendTimeoutMode {
            case .deadline:
                limit = message.deadline ?? .max
                if isBefore { limit = max(limit, client.judgedSince) }
            case .documentedTimer:
                guard let active = client.watch.activeSince else { continue }
                limit = max(start, active) + 2 * timeout
            }
            if record.now > limit, record.now - limit > SimulationClock.nanoseconds(Self.slack) {
                record.complain(
                    .failsInTime,
                    "\(client.name): \(message.id) was sent at \(start / 1_000_000) ms and has not failed")
            }
        }
    }

    /// Notes whether the documented timer runs: the screen is open in the foreground and a dialog is active.
    func judgeActivity(at now: Int64) {
        guard client.settings.sendTimeoutMode == .documentedTimer else { return }
        let isActive =
            client.isForeground && client.visibleScreen != nil
            && client.reading.isDialogActive
        if !isActive {
            client.watch.activeSince = nil
        } else if client.watch.activeSince == nil {
            client.watch.activeSince = now
        }
    }
}

extension ChatMessageState {
    /// The order of the states that mean that the server has the message; 0 for other states.
    var rank: Int {
        switch self {
        case .sent: 1
        case .delivered: 2
        case .read: 3
        case .queued, .uploading, .sending, .failed: 0
        }
    }

    /// Whether the message waits in the queue.
    var isUnsent: Bool { self == .queued || self == .uploading }

    var isFailed: Bool {
        if case .failed = self { true } else { false }
    }

    /// Whether the state is final.
    var isEnd: Bool { rank > 0 || isFailed }
}
