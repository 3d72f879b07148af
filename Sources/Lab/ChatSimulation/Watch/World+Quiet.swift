import ChatCenterCore
import ChatServerCore
import ChatWire

// The quiet time after the plan: everything works, and what was promised is asked for.
extension World {
    func calmDown() {
        guard complaints.isEmpty else { return }
        heal()
        // Processes that are down come back, and users who are to follow another one.
        advance(by: 16_000)
        for client in clients.indices {
            if clients[client].user == nil { authorize(client, user: setup.devices[client].user) }
            enterForeground(client)
            hand(.network(.pathChanged(hasRoute: true)), to: client)
            if let user = clients[client].user { authorize(client, user: user) }
            openScreen(client)
        }
        for user in users { operatorSays(user) }
        advance(by: 45_000)
        guard complaints.isEmpty else { return }
        for client in clients.indices { judgeMessages(client, isFinal: false) }

        // Nobody looks; what comes now is unread. The way to the foreground fetches what was missed.
        for client in clients.indices { closeScreen(client) }
        for user in users { operatorSays(user) }
        advance(by: 1000)
        for client in clients.indices { enterBackground(client, for: 200) }
        advance(by: 15_000)
        for client in clients.indices { judgeUnread(client) }

        for client in clients.indices { openScreen(client) }
        advance(by: 12_000)
        for client in clients.indices {
            judgeMessages(client, isFinal: true)
            judgeConversation(client)
            judgeRestored(client)
            judgePartings(client)
            if clients[client].watch.unreadTold != 0 {
                complain(.unreadCount, "\(name(client)) has unread messages on an open screen")
            }
        }
        judgeServer()
    }

    private func advance(by milliseconds: Int64) { advance(toMilliseconds: now / 1_000_000 + milliseconds) }

    /// The users who are authorised somewhere.
    private var users: [Int] {
        SimulationSetup.users.indices.filter { user in clients.contains { $0.user == user } }
    }

    private func heal() {
        for client in clients.indices {
            let (frames, calls) = (clients[client].weather.frames, clients[client].weather.calls)
            clients[client].weather = Weather()
            clients[client].weather.frames = frames
            clients[client].weather.calls = calls
            clients[client].failingCommits = 0
            clients[client].doom = nil
            clients[client].pins = [server.key]
            clients[client].answersForToken = true
        }
        server.failingCommits = 0
        server.doom = nil
        note("== everything works")
    }

    // MARK: Asking

    /// Every message has an end, and it is the true one.
    private func judgeMessages(_ client: Int, isFinal: Bool) {
        guard let user = clients[client].core.authorisedClientID, let kept = restored(client, user) else { return }
        for message in clients[client].watch.messages where message.user == user && !message.isGivenUp {
            let known = kept.messages.first { $0.id == message.id }
            let count = server.shelf.contents.messages.count { $0.uuid == message.id.text && $0.clientID == user }
            guard let delivery = known?.delivery else {
                if message.isAcknowledged { complain(.nothingLost, "\(name(client)): \(message.id) is gone") }
                continue
            }
            guard let outcome = delivery.outcome else {
                complain(.nothingLost, "\(name(client)): \(message.id) has no end, it is \(delivery)")
                continue
            }
            if outcome.rank > 0, count == 0 {
                complain(.nothingLost, "\(name(client)): \(message.id) is said to be sent and is not on the server")
            }
            // The history shows it, the next time that it is fetched. What is no part of it cannot be looked up.
            if isFinal, outcome.isFailed, count > 0, known?.content.body == .message {
                complain(.nothingLost, "\(name(client)): \(message.id) is on the server and is said to have failed")
            }
            if message.isAcknowledged, message.told != outcome {
                complain(
                    .fateIsTold,
                    "\(name(client)): \(message.id) is \(outcome), told was \(message.told.map { "\($0)" } ?? "nothing")"
                )
            }
        }
    }

    /// The count is that of the rows, and not more than what the server counts.
    private func judgeUnread(_ client: Int) {
        guard let user = clients[client].core.authorisedClientID, let kept = restored(client, user) else { return }
        let rows = kept.messages.count { $0.state == .received(.unread) && $0.content.countsAsUnread }
        let told = clients[client].watch.unreadTold
        guard clients.count(where: { $0.core.authorisedClientID == user }) == 1 else { return }
        let onServer = server.shelf.contents.messages.count { $0.clientID == user && $0.isUnread }
        if told < rows || told > max(rows, onServer) {
            complain(.unreadCount, "\(name(client)) told \(told), there are \(rows) here and \(onServer) on the server")
        }
    }

    /// What is here of the server's conversation is its end, without a hole and in its order.
    private func judgeConversation(_ client: Int) {
        guard let user = clients[client].core.authorisedClientID, let kept = restored(client, user) else { return }
        let forgotten = clients[client].watch.messages.filter(\.isGivenUp).map(\.id.text)
        let there = server.shelf.contents.messages
            .filter { $0.clientID == user && $0.isInHistory && !forgotten.contains($0.uuid) }
        let known = Set(there.map(\.uuid))
        let here = kept.messages.filter { known.contains($0.id.text) }.map(\.id.text)
        let expected = there.suffix(here.count).map(\.uuid)
        if here != expected {
            complain(.complete, "\(name(client)) has \(here), the server \(there.map(\.uuid))")
        }
        if there.count > 0, here.isEmpty { complain(.complete, "\(name(client)) has nothing of the conversation") }
        let texts = kept.messages.compactMap { $0.content.body == .message ? $0.content.text : nil }
        if Set(texts).count != texts.count { complain(.nothingTwice, "\(name(client)) has a message twice: \(texts)") }
        let single = clients.count { $0.core.authorisedClientID == user } == 1
        let unread = there.filter { $0.isUnread && here.contains($0.uuid) }.map(\.uuid)
        if single, !unread.isEmpty {
            complain(.unreadCount, "\(name(client)) has shown \(unread), the server does not know it")
        }
    }

    /// A core that begins with the store shows what this one shows.
    private func judgeRestored(_ client: Int) {
        guard let user = clients[client].core.authorisedClientID, let kept = restored(client, user) else { return }
        var core = ChatCore(settings: clients[client].settings)
        _ = core.handle(
            .authorize(UserIdentity(clientID: user), WireCredentials(), restored: kept),
            at: clients[client].moment(now), entropy: 1)
        // Whether a survey's time is over is a question to the server's clock, which a new core has not heard yet.
        let after = core.screen.messages.filter { $0.kind != .survey }
        let before = clients[client].core.screen.messages.filter { $0.kind != .survey }
        if after.suffix(before.count) != before[...] {
            let differing = zip(after.suffix(before.count), before).first { $0 != $1 }
            complain(
                .storeAgrees,
                "\(name(client)): a restart shows \(after.count) rows, not \(before.count); "
                    + (differing.map { "\($0) became \($1)" } ?? ""))
        }
        if Set(before.map(\.id)).count != before.count {
            complain(.nothingTwice, "\(name(client)) shows a message twice")
        }
    }

    /// Nothing is on the server twice, nothing that nobody sent, and everything in order.
    private func judgeServer() {
        let messages = server.shelf.contents.messages
        let own = messages.filter(\.isFromClient)
        for client in clients.indices {
            for user in SimulationSetup.users {
                judgeOrder(own.filter { $0.clientID == user }.map(\.uuid), client, user)
            }
        }
        if Set(own.map(\.uuid)).count != own.count { complain(.nothingTwice, "the server has a message twice") }
        let texts = own.map { $0.content.text ?? "" }
        if Set(texts).count != texts.count { complain(.nothingTwice, "the server has a message twice: \(texts)") }
        for message in own {
            let sent = clients.lazy.compactMap { client in
                client.watch.index(of: MessageID(message.uuid)).map { client.watch.messages[$0] }
            }.first
            guard let sent else {
                complain(.nothingTwice, "the server has \(message.uuid), which nobody sent")
                continue
            }
            if sent.user != message.clientID || sent.text != message.content.text {
                complain(.usersApart, "the server has \(message.uuid) of \(sent.user) as \(message.clientID)'s")
            }
            if sent.isRefused { complain(.nothingLost, "\(message.uuid) was refused to its user and sent") }
        }
    }

    private func judgeOrder(_ uuids: [String], _ client: Int, _ user: String) {
        let sent = uuids.compactMap { uuid -> SentMessage? in
            guard let index = clients[client].watch.index(of: MessageID(uuid)) else { return nil }
            let message = clients[client].watch.messages[index]
            return message.mayBeOvertaken || message.isDiscarded ? nil : message
        }
        for stay in 0...clients[client].watch.stays {
            let messages = sent.filter { $0.stay == stay }
            for (place, earlier) in messages.enumerated() {
                // A message whose files were not uploaded yet when the other one was sent may be overtaken.
                let overtaken = messages[(place + 1)...].first { later in
                    later.number < earlier.number && later.readyAt < (earlier.firstOutAt ?? .max)
                }
                guard overtaken != nil else { continue }
                complain(.inOrder, "\(name(client)): the messages of \(user) came as \(messages.map(\.number))")
            }
        }
    }

    private func restored(_ client: Int, _ user: String) -> PersistedChat? {
        do throws(StoreFailure) {
            return try shelf.store(device: client, user: user).restore(window: 2000)
        } catch {
            complain(.storeAgrees, "\(name(client)): the store cannot be read: \(error.kind.rawValue)")
            return nil
        }
    }

    func countMessages(_ client: Int) {
        guard client == 0 else { return }
        figures.arrived = server.shelf.contents.messages.count(where: \.isFromClient)
        figures.received = server.shelf.contents.messages.count - figures.arrived
    }
}

extension Content {
    /// A message that was not taken back.
    fileprivate var countsAsUnread: Bool { body == .message && modified != .deleted }
}
