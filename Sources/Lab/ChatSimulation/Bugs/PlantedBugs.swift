import ChatCenterCore
import ChatServerCore
import ChatWire

/// Inserts a planted bug where a core receives events, returns effects or uses its store. Without a bug, all values
/// pass unchanged.
struct PlantedBugs {
    private let bug: PlantedBug?
    private let streams: RandomStreams

    init(_ bug: PlantedBug?, _ streams: RandomStreams) {
        self.bug = bug
        self.streams = streams
    }

    /// Whether this bug is planted.
    func isPlanted(_ bug: PlantedBug) -> Bool { self.bug == bug }

    func settings(_ settings: ChatSettings) -> ChatSettings {
        var settings = settings
        if bug == .deadlineNeverJudged { settings.sendTimeout = 3_600_000 }
        if bug == .uploadNeverTimesOut { settings.uploadTimeout = 3_600_000 }
        return settings
    }

    func altered(_ event: ChatEvent, _ client: ClientNode) -> ChatEvent {
        if bug == .backgroundIgnored, event == .enteredBackground { return .wake }
        if bug == .textBehindUpload, case .send(let ticket, let id, var message) = event,
            message.files.isEmpty, !client.watch.uploads.isEmpty
        {
            let file = LocalFile(path: "x-\(id.text)", name: "x-\(id.text).png", type: "image/png", size: 1000)
            message.files = [OutgoingMessage.File(id: TransferID("x-\(id.text)"), file: file)]
            return .send(ticket, id, message)
        }
        guard bug == .staleGenerationAccepted, let live = client.reading.liveGeneration,
            case .network(let event) = event
        else { return event }
        switch event {
        case .received(_, let frame): return .network(.received(live, frame))
        case .socketClosed(_, let cause): return .network(.socketClosed(live, cause))
        case .socketOpened: return .network(.socketOpened(live))
        default: return .network(event)
        }
    }

    func alter(_ effects: inout [ChatEffect], _ client: ClientNode) {
        switch bug {
        case .secondSocket:
            effects.removeAll { if case .network(.closeSocket) = $0 { true } else { false } }
        case .acknowledgedBeforeCommit:
            for index in effects.indices.dropFirst() {
                guard case .acknowledge = effects[index], effects[index - 1].isCommit else { continue }
                effects.swapAt(index, index - 1)
            }
        case .unreadCountedTwice:
            for index in effects.indices {
                if case .notify(.unread(let count)) = effects[index] { effects[index] = .notify(.unread(2 * count)) }
            }
        case .readMarksForgotten:
            effects.removeAll { effect in
                guard case .network(.transmit(_, _, let frame)) = effect, case .updateStatuses = frame.body else {
                    return false
                }
                return true
            }
        case .newNameOnResend:
            for index in effects.indices {
                guard case .network(.transmit(let generation, let id, let frame)) = effects[index],
                    case .sendMessage(var content, let address) = frame.body, let uuid = content.uuid,
                    frame.isMessage, client.watch.hasGoneOut(MessageID(uuid))
                else { continue }
                content.uuid = "\(uuid)#\(client.turns)"
                let renamed = ClientFrame(
                    .sendMessage(content, deviceAddress: address), correlationID: frame.correlationID)
                effects[index] = .network(.transmit(generation, id, renamed))
            }
        case .fileDiscardedFirst:
            let files = effects.filter { if case .discardFile = $0 { true } else { false } }
            effects.removeAll { if case .discardFile = $0 { true } else { false } }
            effects = files + effects
        case .failureNotTold:
            effects.removeAll { if case .notify(.message(_, .failed)) = $0 { true } else { false } }
        default: break
        }
    }

    func altered(_ transaction: StoreTransaction) -> StoreTransaction {
        var transaction = transaction
        switch bug {
        case .farewellForgotten:
            transaction.changes.removeAll { if case .farewell(.some) = $0 { true } else { false } }
        case .cursorWithoutMessages:
            let hasCursor = transaction.changes.contains { if case .cursor(.some) = $0 { true } else { false } }
            guard hasCursor else { break }
            transaction.changes.removeAll { change in
                guard case .saveMessage(let message) = change, case .received = message.state else { return false }
                return true
            }
        case .eraseForgotten: transaction.changes.removeAll { $0 == .erase }
        case .outcomeNotKept:
            transaction.changes.removeAll { change in
                if case .saveMessage(let message) = change { message.delivery?.outcome != nil } else { false }
            }
        default: break
        }
        return transaction
    }

    func isCommitLost(_ transaction: StoreTransaction, _ client: ClientNode) -> Bool {
        bug == .lostCommit && transaction.ticket != nil
            && streams.number(.bug, client.index, client.turns) % 8 == 0
    }

    func altered(_ restored: PersistedChat, of user: String, _ server: ServerNode) -> PersistedChat {
        var restored = restored
        if bug == .cursorMovedTooFar, restored.cursor?.isEmpty == false {
            restored.cursor = server.shelf.contents.messages.last { $0.clientID == user }?.uuid ?? restored.cursor
        }
        if bug == .restoredAsUnsent {
            for index in restored.messages.indices {
                guard case .own(let delivery) = restored.messages[index].state, let entry = delivery.entry else {
                    continue
                }
                restored.messages[index].state = .own(.queued(entry, deadline: nil))
            }
        }
        guard bug == .queueReordered else { return restored }
        for index in restored.messages.indices {
            guard case .own(let delivery) = restored.messages[index].state, var entry = delivery.entry else { continue }
            entry.sequence = -entry.sequence
            switch delivery {
            case .queued(_, let deadline): restored.messages[index].state = .own(.queued(entry, deadline: deadline))
            case .sending(_, let deadline):
                restored.messages[index].state = .own(.unconfirmed(entry, deadline: deadline))
            case .unconfirmed(_, let deadline):
                restored.messages[index].state = .own(.unconfirmed(entry, deadline: deadline))
            case .sent, .delivered, .read, .failed: break
            }
        }
        return restored
    }

    func altered(wake: Int64?, _ client: ClientNode, at now: Int64) -> Int64? {
        let isForeground = client.isForeground
        switch bug {
        case .timerInBackground where wake == nil && !isForeground:
            return client.moment(now).monotonic + SimulationClock.nanoseconds(30_000)
        case .overdueTimerLate where client.watch.messages.contains { $0.overdueSince != nil }:
            return wake.map { $0 + SimulationClock.nanoseconds(10_000) }
        case .logoutTimerLost where isForeground && client.reading.authorisedClientID == nil:
            return nil
        default: return wake
        }
    }

    func altered(_ request: SocketRequest, _ client: ClientNode) -> SocketRequest {
        guard bug == .tokenOfPreviousUser, let past = client.tokenOfPreviousUser else {
            return request
        }
        var request = request
        request.credentials.token = past
        return request
    }

    func altered(_ event: ServerEvent, _ server: ServerNode) -> ServerEvent {
        guard bug == .noDeduplication, case .received(let connection, let frame) = event,
            let uuid = frame.messageContent?.uuid, case .sendMessage(var content, let address) = frame.body,
            server.shelf.contents.messages.contains(where: { $0.uuid == uuid })
        else { return event }
        content.uuid = "\(uuid)#\(server.turns)"
        return .received(
            connection, ClientFrame(.sendMessage(content, deviceAddress: address), correlationID: frame.correlationID))
    }

    func alter(_ effects: inout [ServerEffect]) {
        guard bug == .receiptBeforeCommit, let first = effects.first, case .commit = first else {
            return
        }
        effects.removeFirst()
        effects.append(first)
    }
}

extension ChatEffect {
    var isCommit: Bool {
        if case .commit = self { true } else { false }
    }
}
