import ChatCenterCore
import ChatServerCore
import ChatWire

/// The rules for users who change on one device, and for the contents of their stores.
struct UserRules {
    let client: ClientNode
    /// The contents of the server's database.
    let server: ServerSnapshot
    let shelf: any StoreShelf

    init(_ client: ClientNode, _ server: ServerSnapshot, _ shelf: any StoreShelf) {
        self.client = client
        self.server = server
        self.shelf = shelf
    }

    /// Checks that acknowledged messages are still in the store after a restart.
    func restoredIsWhole(_ restored: PersistedChat, _ user: String, _ record: inout RunRecord) {
        for index in client.watch.messages.indices {
            var message = client.watch.messages[index]
            guard message.user == user, !message.isGivenUp else { continue }
            guard let kept = restored.messages.first(where: { $0.id == message.id }) else {
                if message.isAcknowledged {
                    record.complain(
                        .nothingLost, "\(client.name): \(message.id) was acknowledged and is not in the store")
                }
                continue
            }
            guard let delivery = kept.delivery else { continue }
            message.missingFiles = restored.attachments.filter { $0.message == message.id }.map(\.id.text)
            if client.hasJumped, message.deadline != nil {
                message.deadline = record.now + SimulationClock.nanoseconds(client.settings.sendTimeout)
            }
            // The state was stored before it was reported.
            if let seen = delivery.outcome {
                message.told = seen
                message.wasToldUnsaved = false
                message.deadline = nil
                message.handedOverAt = nil
                if seen.isFailed { message.mayBeOvertaken = true }
            }
            client.watch.messages[index] = message
        }
    }

    /// Checks that the store of a user who left contains at most the farewell.
    func nothingIsLeft(of user: String, isLogout: Bool, _ record: inout RunRecord) {
        do throws(StoreFailure) {
            let left = try shelf.store(device: client.index, user: user).restore(window: 10)
            let isClean =
                left.messages.isEmpty && left.attachments.isEmpty && left.deviceAddress == nil && left.cursor == nil
                && left.draft == nil && left.configuration == nil && (isLogout || left.farewell == nil)
            if !isClean {
                record.complain(.usersApart, "\(client.name): the store of \(user) is not empty after the user left")
            }
        } catch {
            record.complain(.usersApart, "\(client.name): the store of \(user) cannot be read after the user left")
        }
    }

    func loggedOut(_ ticket: Ticket, _ outcome: LogoutOutcome, _ record: inout RunRecord) {
        guard let index = client.watch.partings.firstIndex(where: { $0.ticket == ticket }) else { return }
        client.watch.partings[index].outcome = outcome
        let parting = client.watch.partings[index]
        guard !parting.isExcused, let address = parting.address else { return }
        let isKnown = server.devices.contains { $0.address == address }
        switch outcome {
        case .server:
            if isKnown {
                record.complain(
                    .farewell, "\(client.name): the server still has the device of \(parting.user) after the logout")
            }
        case .localOnlyPending:
            if isKnown, !isFarewellKept(parting.user) {
                record.complain(.farewell, "\(client.name): the farewell of \(parting.user) is not stored")
            }
        case .notAuthorized: break
        }
    }

    /// Notes the contents of a successful commit.
    func kept(_ transaction: StoreTransaction, _ record: inout RunRecord) {
        if transaction.changes.contains(.erase) {
            client.watch.owedErasures.remove(transaction.user)
            hasParted(transaction.user)
        } else if client.watch.owedErasures.contains(transaction.user) {
            record.complain(
                .usersApart, "\(client.name) stores data of \(transaction.user) before the pending erasure")
        }
        for case .saveMessage(let message) in transaction.changes {
            if client.watch.index(of: message.id) == nil { client.noteOwn(message, of: transaction.user) }
            guard let index = client.watch.index(of: message.id) else { continue }
            client.watch.messages[index].kept = message.delivery?.outcome
            guard case .own(.unconfirmed) = message.state else { continue }
            QueueRules(client).isLookedUp(index, &record)
        }
    }

    /// Notes that the store of a user who left is erased.
    private func hasParted(_ user: String) {
        for index in client.watch.partings.indices where client.watch.partings[index].user == user {
            client.watch.partings[index].isKept = true
        }
    }

    private func isFarewellKept(_ user: String) -> Bool {
        let restored = try? shelf.store(device: client.index, user: user).restore(window: 0)
        return restored?.farewell != nil
    }

    /// Checks at the end that this process reported every stored farewell, and removed those that the server confirmed.
    func judgeFarewells(_ record: inout RunRecord) {
        for user in SimulationSetup.users where user != client.reading.authorisedClientID && isFarewellKept(user) {
            if client.watch.confirmedLogouts.contains(user) {
                record.complain(
                    .farewell, "\(client.name) stores the farewell of \(user) after the server confirmed it")
            } else if !client.watch.reportedLogouts.contains(user) {
                record.complain(.farewell, "\(client.name) does not report the stored farewell of \(user)")
            }
        }
    }

    /// Checks at the end that the server has deleted the device of each user who left, or that the farewell is still
    /// stored.
    func judgePartings(_ record: inout RunRecord) {
        for parting in client.watch.partings where !parting.isExcused {
            if parting.ticket != nil, parting.outcome == nil, !parting.lostItsCaller {
                record.complain(.oneAnswer, "\(client.name): the logout of \(parting.user) has no outcome")
            }
            guard let address = parting.address,
                server.devices.contains(where: { $0.address == address }),
                !isFarewellKept(parting.user)
            else { continue }
            record.complain(.farewell, "\(client.name): the logout of \(parting.user) was never reported to the server")
        }
    }

    func unreadTold(_ count: Int, _ record: inout RunRecord) {
        client.watch.unreadTold = count
        guard let user = client.reading.authorisedClientID else { return }
        let written = server.messages.count {
            $0.clientID == user && !$0.isFromClient && $0.content.body == .message
        }
        if count < 0 || count > written {
            record.complain(
                .unreadCount, "\(client.name) reported \(count) unread messages, but the server has \(written)")
        }
    }
}

extension Delivery {
    /// The state that is shown for a final state, or `nil` for a state that is not final.
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
