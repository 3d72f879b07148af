import ChatCenterCore
import ChatServerCore
import ChatWire

// Users who come and go, and what a store holds when they do.
extension World {
    /// What was acknowledged survived the process.
    func restoredIsWhole(_ restored: PersistedChat, _ client: Int, _ user: String) {
        for index in clients[client].watch.messages.indices {
            var message = clients[client].watch.messages[index]
            guard message.user == user, !message.isGivenUp else { continue }
            guard let kept = restored.messages.first(where: { $0.id == message.id }) else {
                if message.isAcknowledged {
                    complain(.nothingLost, "\(name(client)): \(message.id) was acknowledged and is not in the store")
                }
                continue
            }
            guard let delivery = kept.delivery else { continue }
            message.missingFiles = restored.attachments.filter { $0.message == message.id }.map(\.id.text)
            if clients[client].hasJumped, message.deadline != nil {
                message.deadline = now + SimulationClock.nanoseconds(clients[client].settings.sendTimeout)
            }
            // What became of it was kept before anybody could be told.
            if let seen = delivery.outcome {
                message.told = seen
                message.wasToldUnsaved = false
                message.deadline = nil
                message.handedOverAt = nil
                if seen.isFailed { message.mayBeOvertaken = true }
            }
            clients[client].watch.messages[index] = message
        }
    }

    /// A user who left left nothing behind but what the server is still to be told.
    func nothingIsLeft(_ client: Int, _ user: String, isLogout: Bool) {
        do throws(StoreFailure) {
            let left = try shelf.store(device: client, user: user).restore(window: 10)
            let isClean =
                left.messages.isEmpty && left.attachments.isEmpty && left.deviceAddress == nil && left.cursor == nil
                && left.configuration == nil && (isLogout || left.farewell == nil)
            if !isClean { complain(.usersApart, "\(name(client)): the store of \(user) is not empty after he left") }
        } catch {
            complain(.usersApart, "\(name(client)): the store of \(user) cannot be read after he left")
        }
    }

    func loggedOut(_ ticket: Ticket, _ outcome: LogoutOutcome, _ client: Int) {
        guard let index = clients[client].watch.partings.firstIndex(where: { $0.ticket == ticket }) else { return }
        clients[client].watch.partings[index].outcome = outcome
        let parting = clients[client].watch.partings[index]
        guard !parting.isExcused, let address = parting.address else { return }
        let isKnown = server.shelf.contents.devices.contains { $0.address == address }
        switch outcome {
        case .server:
            if isKnown {
                complain(.farewell, "\(name(client)): the server is said to know that \(parting.user) left")
            }
        case .localOnlyPending:
            if isKnown, !isFarewellKept(parting.user, client) {
                complain(.farewell, "\(name(client)): nobody will tell the server that \(parting.user) left")
            }
        case .notAuthorized: break
        }
    }

    /// A commit succeeded.
    func kept(_ transaction: StoreTransaction, _ client: Int) {
        if transaction.changes.contains(.erase) {
            clients[client].watch.owedErasures.remove(transaction.user)
            hasParted(transaction.user, client)
        } else if clients[client].watch.owedErasures.contains(transaction.user) {
            complain(.usersApart, "\(name(client)) keeps something of \(transaction.user), who is to be erased")
        }
        for case .saveMessage(let message) in transaction.changes {
            guard let index = clients[client].watch.index(of: message.id) else { continue }
            clients[client].watch.messages[index].kept = message.delivery?.outcome
            if case .own(.unconfirmed) = message.state { clients[client].watch.messages[index].isLookedUp = true }
        }
    }

    /// The store of a user who leaves is erased.
    private func hasParted(_ user: String, _ client: Int) {
        for index in clients[client].watch.partings.indices where clients[client].watch.partings[index].user == user {
            clients[client].watch.partings[index].isKept = true
        }
    }

    private func isFarewellKept(_ user: String, _ client: Int) -> Bool {
        let restored = try? shelf.store(device: client, user: user).restore(window: 0)
        return restored?.farewell != nil
    }

    /// In the end each address of a user who left is forgotten by the server, or its farewell is still kept.
    func judgePartings(_ client: Int) {
        for parting in clients[client].watch.partings where !parting.isExcused {
            if parting.ticket != nil, parting.outcome == nil, !parting.lostItsCaller {
                complain(.oneAnswer, "\(name(client)): the logout of \(parting.user) has no outcome")
            }
            guard let address = parting.address,
                server.shelf.contents.devices.contains(where: { $0.address == address }),
                !isFarewellKept(parting.user, client)
            else { continue }
            complain(.farewell, "\(name(client)): the server was never told that \(parting.user) left")
        }
    }

    func unreadTold(_ count: Int, _ client: Int) {
        clients[client].watch.unreadTold = count
        guard let user = clients[client].core.authorisedClientID else { return }
        let written = server.shelf.contents.messages.count {
            $0.clientID == user && !$0.isFromClient && $0.content.body == .message
        }
        if count < 0 || count > written {
            complain(.unreadCount, "\(name(client)) told \(count) unread messages of \(written) there are")
        }
    }
}

extension Delivery {
    /// How a message is shown that has come to its end, or `nil` for one that has not.
    var outcome: ChatMessageState? {
        switch self {
        case .queued, .sending, .unconfirmed: nil
        case .sent: .sent
        case .delivered: .delivered
        case .read: .read
        case .failed(let failure, _): .failed(failure)
        }
    }
}
