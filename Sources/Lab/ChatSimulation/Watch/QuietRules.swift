import ChatCenterCore
import ChatServerCore
import ChatWire

/// The rules for the end of a run, when everything works and every promise must be kept.
struct QuietRules {
    let clients: [ClientNode]
    /// The contents of the server's database.
    let server: ServerSnapshot
    let shelf: any StoreShelf

    /// Checks that every message has a final state, which agrees with the server.
    func judgeMessages(of client: ClientNode, isFinal: Bool, _ record: inout RunRecord) {
        guard let user = client.reading.authorisedClientID, let kept = restored(client, user, &record) else { return }
        for message in client.watch.messages where message.user == user && !message.isGivenUp {
            let known = kept.messages.first { $0.id == message.id }
            let count = server.messages.count { $0.uuid == message.id.text && $0.clientID == user }
            guard let delivery = known?.delivery else {
                if message.isAcknowledged { record.complain(.nothingLost, "\(client.name): \(message.id) was lost") }
                continue
            }
            guard let outcome = delivery.outcome else {
                record.complain(.nothingLost, "\(client.name): \(message.id) has no final state, but \(delivery)")
                continue
            }
            if outcome.rank > 0, count == 0 {
                record.complain(
                    .nothingLost, "\(client.name): \(message.id) is shown as sent and is not on the server")
            }
            // The next request for the history finds the message. A message outside the history cannot be looked up.
            if isFinal, outcome.isFailed, count > 0, known?.content.body == .message {
                record.complain(
                    .nothingLost, "\(client.name): \(message.id) is shown as failed and is on the server")
            }
            if message.isAcknowledged, message.told != outcome {
                record.complain(
                    .fateIsTold,
                    "\(client.name): \(message.id) is stored as \(outcome) and reported as "
                        + (message.told.map { "\($0)" } ?? "nothing")
                )
            }
        }
    }

    /// Checks that the reported unread count is that of the stored messages, and at most that of the server.
    func judgeUnread(of client: ClientNode, _ record: inout RunRecord) {
        guard let user = client.reading.authorisedClientID, let kept = restored(client, user, &record) else { return }
        let rows = kept.messages.count { $0.state == .received(.unread) && $0.content.countsAsUnread }
        let told = client.watch.unreadTold
        guard clients.count(where: { $0.reading.authorisedClientID == user }) == 1 else { return }
        let onServer = server.messages.count { $0.clientID == user && $0.isUnread }
        if told < rows || told > max(rows, onServer) {
            record.complain(
                .unreadCount, "\(client.name) reports \(told) unread messages, stores \(rows), server: \(onServer)")
        }
    }

    /// Checks that the stored part of the conversation is its end, without a gap and in the server's order.
    func judgeConversation(of client: ClientNode, _ record: inout RunRecord) {
        guard let user = client.reading.authorisedClientID, let kept = restored(client, user, &record) else { return }
        let forgotten = client.watch.messages.filter(\.isGivenUp).map(\.id.text)
        let there = server.messages
            .filter { $0.clientID == user && $0.isInHistory && !forgotten.contains($0.uuid) }
        let known = Set(there.map(\.uuid))
        let here = kept.messages.filter { known.contains($0.id.text) }.map(\.id.text)
        let expected = there.suffix(here.count).map(\.uuid)
        if here != expected {
            record.complain(
                .complete, "\(client.name) has the messages \(here), but the server has \(there.map(\.uuid))")
        }
        if client.core.screen.paging != .atBeginning || here.count != there.count {
            record.complain(
                .complete, "\(client.name) paged back and has \(here), but the server has \(there.map(\.uuid))")
        }
        if there.count > 0, here.isEmpty {
            record.complain(.complete, "\(client.name) has no message of the conversation")
        }
        let texts = kept.messages.compactMap { $0.content.body == .message ? $0.content.text : nil }
        if Set(texts).count != texts.count {
            record.complain(.nothingTwice, "\(client.name) has a message twice: \(texts)")
        }
        let unanswered = kept.messages.filter { $0.state == .received(.readHere) }.map(\.id.text)
        if !unanswered.isEmpty {
            record.complain(.unreadCount, "\(client.name) has read marks without confirmation: \(unanswered)")
        }
        if kept.cursor == nil {
            record.complain(.storeAgrees, "\(client.name): the store has no cursor of the history")
        }
        let single = clients.count { $0.reading.authorisedClientID == user } == 1
        let unread = there.filter { $0.isUnread && here.contains($0.uuid) }.map(\.uuid)
        if single, !unread.isEmpty {
            record.complain(.unreadCount, "\(client.name) showed \(unread), but they are unread on the server")
        }
    }

    /// Checks that a core that is restored from the store shows the same screen.
    func judgeRestored(of client: ClientNode, _ record: inout RunRecord) {
        guard let user = client.reading.authorisedClientID, let kept = restored(client, user, &record) else { return }
        var core = ChatCore(settings: client.settings)
        _ = core.handle(
            .authorize(UserIdentity(clientID: user), WireCredentials(), restored: kept),
            at: client.moment(record.now), entropy: 1)
        // Surveys are left out, because their expiry depends on the server's clock, which a new core does not know yet.
        let after = core.screen.messages.filter { $0.kind != .survey }
        let before = client.core.screen.messages.filter { $0.kind != .survey }
        if after.suffix(before.count) != before[...] {
            let differing = zip(after.suffix(before.count), before).first { $0 != $1 }
            record.complain(
                .storeAgrees,
                "\(client.name): a restart shows \(after.count) rows instead of \(before.count); "
                    + (differing.map { "\($0) became \($1)" } ?? ""))
        }
        if core.configuration != client.core.configuration {
            record.complain(.storeAgrees, "\(client.name): a restart has another configuration")
        }
        if core.isDialogActive != client.reading.isDialogActive
            || core.screen.input.blocked != client.core.screen.input.blocked
            || core.screen.title != client.core.screen.title
        {
            record.complain(
                .storeAgrees,
                "\(client.name): a restart shows \(core.screen.title), \(core.screen.input) instead of "
                    + "\(client.core.screen.title), \(client.core.screen.input)")
        }
        if Set(before.map(\.id)).count != before.count {
            record.complain(.nothingTwice, "\(client.name) shows a message twice")
        }
    }

    /// Checks that the server has each message once and in order, and has no unknown message.
    func judgeServer(_ record: inout RunRecord) {
        let messages = server.messages
        let own = messages.filter(\.isFromClient)
        for client in clients {
            for user in SimulationSetup.users {
                judgeOrder(own.filter { $0.clientID == user }.map(\.uuid), of: user, on: client, &record)
            }
        }
        if Set(own.map(\.uuid)).count != own.count {
            record.complain(.nothingTwice, "the server has a message twice")
        }
        let texts = own.compactMap(\.content.text)
        if Set(texts).count != texts.count {
            record.complain(.nothingTwice, "the server has a message twice: \(texts)")
        }
        judgeRatings(own, &record)
        for message in own {
            let sent = clients.lazy.compactMap { client in
                client.watch.index(of: MessageID(message.uuid)).map { client.watch.messages[$0] }
            }.first
            guard let sent else {
                record.complain(.nothingTwice, "the server has \(message.uuid), which no client sent")
                continue
            }
            if sent.user != message.clientID || sent.text != message.content.text ?? "" {
                record.complain(
                    .usersApart, "the server stores \(message.uuid) of \(sent.user) for \(message.clientID)")
            }
            if sent.isRefused { record.complain(.nothingLost, "\(message.uuid) was refused and sent") }
        }
    }

    /// Checks that the ratings from the screen arrived.
    private func judgeRatings(_ own: [ServerMessage], _ record: inout RunRecord) {
        for client in clients where client.watch.hasRated {
            guard let user = client.reading.authorisedClientID else { continue }
            let isThere = own.contains { message in
                switch message.content.body {
                case .surveyQuestionAnswer(let answer): message.clientID == user && answer.rate == DeviceApp.rate
                case .surveyQualityFormAnswer(let answers, _):
                    message.clientID == user && answers.contains { $0.rate == DeviceApp.rate }
                default: false
                }
            }
            if !isThere {
                record.complain(.nothingLost, "\(client.name): the rating of \(user) is not on the server")
            }
        }
    }

    private func judgeOrder(
        _ uuids: [String], of user: String, on client: ClientNode, _ record: inout RunRecord
    ) {
        let sent = uuids.compactMap { uuid -> SentMessage? in
            guard let index = client.watch.index(of: MessageID(uuid)) else { return nil }
            let message = client.watch.messages[index]
            return message.mayBeOvertaken || message.isDiscarded ? nil : message
        }
        for stay in 0...client.watch.stays {
            let messages = sent.filter { $0.stay == stay }
            for (place, earlier) in messages.enumerated() {
                // A message may be overtaken if its files were not uploaded when the other message was sent.
                let overtaken = messages[(place + 1)...].first { later in
                    later.number < earlier.number && later.readyAt < (earlier.firstOutAt ?? .max)
                }
                guard overtaken != nil else { continue }
                record.complain(
                    .inOrder, "\(client.name): the messages of \(user) arrived in the order \(messages.map(\.number))")
            }
        }
    }

    private func restored(_ client: ClientNode, _ user: String, _ record: inout RunRecord) -> PersistedChat? {
        do throws(StoreFailure) {
            return try shelf.store(device: client.index, user: user).restore(window: 2000)
        } catch {
            record.complain(.storeAgrees, "\(client.name): the store cannot be read: \(error.kind.rawValue)")
            return nil
        }
    }
}

extension Content {
    /// Whether the content is a message that was not deleted.
    fileprivate var countsAsUnread: Bool { body == .message && modified != .deleted }
}
