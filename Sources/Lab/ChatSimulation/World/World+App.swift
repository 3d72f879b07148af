import ChatCenterCore
import ChatWire

// The app around a client's core, and its user.
extension World {
    func appStarts(_ client: Int) {
        hand(.pushToken("push-\(client)"), to: client)
        for user in SimulationSetup.users {
            do throws(StoreFailure) {
                let kept = try shelf.store(device: client, user: user).restore(window: 0)
                if let farewell = kept.farewell { hand(.pendingFarewell(farewell), to: client) }
            } catch {
                complain(.storeAgrees, "the store of \(user) cannot be read: \(error.kind.rawValue)")
            }
        }
    }

    func userName(_ user: Int) -> String { SimulationSetup.users[user] }

    func token(_ user: Int) -> String { "\(userName(user))-\(tokens[user])" }

    /// Whose token it is.
    static func owner(ofToken token: String?) -> String? {
        token.flatMap { $0.split(separator: "-").first.map(String.init) }
    }

    func authorize(_ client: Int, user: Int) {
        let name = userName(user)
        let past = clients[client].user
        if let past, past != user { parts(client, from: past, ticket: nil, by: "hand-over") }
        clients[client].user = user
        for index in clients[client].watch.partings.indices where clients[client].watch.partings[index].user == name {
            clients[client].watch.partings[index].isExcused = true
        }
        let identity = UserIdentity(clientID: name, name: name.uppercased())
        var restored = PersistedChat.empty
        if past != user || clients[client].core.authorisedClientID == nil {
            do throws(StoreFailure) {
                restored = altered(
                    try shelf.store(device: client, user: name).restore(window: PersistedChat.restoredMessages),
                    of: name)
            } catch {
                complain(.storeAgrees, "the store of \(name) cannot be read: \(error.kind.rawValue)")
            }
            restoredIsWhole(restored, client, name)
        }
        clients[client].watch.unreadTold = 0
        if clients[client].lastUser != user { clients[client].tokenOfPreviousUser = clients[client].lastToken }
        clients[client].lastUser = user
        clients[client].lastToken = token(user)
        clients[client].judgedSince = now
        let isOwed = clients[client].watch.owedErasures.contains(name)
        hand(.authorize(identity, WireCredentials(token: token(user)), restored: restored), to: client)
        if isOwed, past != user, !clients[client].core.screen.messages.isEmpty {
            complain(.usersApart, "\(self.name(client)) shows \(name) what was to be erased")
        }
    }

    /// The user leaves the device, as far as the app is concerned.
    func parts(_ client: Int, from user: Int, ticket: Ticket?, by way: String) {
        let name = userName(user)
        var address: String?
        do throws(StoreFailure) {
            address = try shelf.store(device: client, user: name).restore(window: 0).deviceAddress
        } catch {
            address = nil
        }
        // The store does not say it while it is behind; and what it says may be of a stay before this one.
        if clients[client].isBehind { address = nil }
        // A user who is de-authorised stays known to the server: that is documented.
        if way != "deauthorize" {
            clients[client].watch.partings.append(
                Parting(
                    user: name, address: address, ticket: ticket, time: now,
                    isExcused: clients[client].core.authorisedClientID != name))
        }
        if clients[client].core.authorisedClientID == name { clients[client].watch.owedErasures.insert(name) }
        clients[client].watch.giveUp(user: name)
        clients[client].user = nil
    }

    func tokenComes(_ client: Int, _ attempt: TokenAttempt, _ answers: Bool) {
        let credentials = answers ? clients[client].user.map { WireCredentials(token: token($0)) } : nil
        hand(.token(attempt, credentials), to: client)
    }

    func openScreen(_ client: Int) {
        guard clients[client].isAlive, clients[client].isForeground, clients[client].user != nil else { return }
        clients[client].screens += 1
        let screen = ScreenID(clients[client].screens)
        hand(.getChat(screen), to: client)
        clients[client].visibleScreen = screen.number
        hand(.screenAppeared(screen), to: client)
    }

    func closeScreen(_ client: Int) {
        guard let screen = clients[client].visibleScreen else { return }
        clients[client].visibleScreen = nil
        hand(.screenDisappeared(ScreenID(screen)), to: client)
    }

    func enterBackground(_ client: Int, for milliseconds: Int64) {
        guard clients[client].isAlive, clients[client].isForeground else { return }
        clients[client].isForeground = false
        clients[client].backgroundSince = now
        hand(.enteredBackground, to: client)
        after(milliseconds: milliseconds, .foreground(client: client, life: clients[client].life))
    }

    func enterForeground(_ client: Int) {
        guard !clients[client].isForeground else { return }
        clients[client].isForeground = true
        clients[client].judgedSince = now
        hand(.enteredForeground, to: client)
    }

    func say(_ client: Int, files: Int, body: ContentBody = .message) {
        guard clients[client].isAlive, let user = clients[client].user else { return }
        clients[client].sends += 1
        clients[client].tickets += 1
        let number = clients[client].sends
        let id = MessageID("c\(client)-\(number)")
        let name = userName(user)
        let text = "\(name) \(client) \(number)"
        let attached = (0..<files).map { index in
            let path = "f\(client)-\(number)-\(index)"
            return OutgoingMessage.File(
                id: TransferID(path), file: LocalFile(path: path, name: "\(path).png", type: "image/png", size: 1000))
        }
        var message = SentMessage(id: id, user: name, number: number, text: text)
        message.mayBeOvertaken = body != .message
        message.missingFiles = attached.map(\.id.text)
        clients[client].watch.add(message)
        let ticket = Ticket(clients[client].tickets)
        clients[client].watch.tickets[ticket.number] = 0
        hand(.send(ticket, id, OutgoingMessage(body, text: text, files: attached)), to: client)
        if clients[client].isAlive, clients[client].watch.tickets[ticket.number] == 0, complaints.isEmpty {
            complain(.oneAnswer, "\(name) was not told whether \(id) was taken")
        }
    }
}
