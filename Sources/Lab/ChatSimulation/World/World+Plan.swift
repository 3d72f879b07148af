import ChatCenterCore
import ChatServerCore
import ChatWire

// What the plan holds, carried out.
extension World {
    func happens(_ item: PlannedItem) {
        note("== \(item.number): \(item.happening.text)")
        switch item.happening {
        case .send(let client, let files): say(client, files: files)
        case .answerSurvey(let client):
            say(client, files: 0, body: .surveyQuestionAnswer(SurveyAnswer(questionID: 1, rate: 5)))
        case .resend(let client):
            guard let id = failedMessage(client), let index = clients[client].watch.index(of: id) else { return }
            clients[client].watch.messages[index].mayBeOvertaken = true
            clients[client].watch.messages[index].handedOverAt = nil
            clients[client].watch.messages[index].deadline = nil
            clients[client].watch.uploads.removeAll { $0.message == id }
            hand(.resend(id), to: client)
        case .discard(let client):
            guard let id = waitingMessage(client), let index = clients[client].watch.index(of: id) else { return }
            clients[client].watch.messages[index].isGivenUp = true
            clients[client].watch.messages[index].isDiscarded = true
            clients[client].watch.messages[index].deadline = nil
            clients[client].watch.messages[index].handedOverAt = nil
            clients[client].watch.uploads.removeAll { $0.message == id }
            hand(.discard(id), to: client)
        case .typed(let client): hand(.typed("draft \(item.number)"), to: client)
        case .loadOlder(let client): hand(.loadOlder, to: client)
        case .reload(let client): hand(.reload, to: client)
        case .askUnreadCount(let client): hand(.unreadCount(ticket(client)), to: client)
        case .search(let client): hand(.search(ticket(client), query: "1", page: 0), to: client)
        case .openScreen(let client): openScreen(client)
        case .closeScreen(let client): closeScreen(client)
        case .background(let client, let milliseconds): enterBackground(client, for: milliseconds)
        case .logout(let client, let next, let wait): leave(client, next, wait, isLogout: true)
        case .deauthorize(let client, let next, let wait): leave(client, next, wait, isLogout: false)
        case .handOver(let client, let next):
            if clients[client].isAlive, clients[client].user != nil { authorize(client, user: next) }
        case .operatorSays(let user): operatorSays(user)
        case .operatorEdits(let user):
            guard let message = newestMessage(of: user) else { return }
            operatorWords += 1
            act(.edits(message: message, text: "edited \(operatorWords)"), user)
        case .operatorDeletes(let user):
            if let message = newestMessage(of: user) { act(.deletes(message: message), user) }
        case .operatorReads(let user): act(.reads, user)
        case .operatorTypes(let user): act(.types, user)
        case .operatorClosesThread(let user): act(.closesThread, user)
        case .operatorAsksSurvey(let user):
            let question = SurveyQuestion(id: 1, text: "How was it?", scale: 5)
            act(.pushes(Content(.survey(Survey(id: 1, hideAfter: 60, questions: [question]))), isKept: true), user)
        case .fault(let fault):
            figures.count(fault.kind)
            strikes(fault)
        }
    }

    private func ticket(_ client: Int) -> Ticket {
        clients[client].tickets += 1
        if clients[client].isAlive { clients[client].watch.tickets[clients[client].tickets] = 0 }
        return Ticket(clients[client].tickets)
    }

    private func failedMessage(_ client: Int) -> MessageID? {
        guard clients[client].isAlive, let user = clients[client].user else { return nil }
        return clients[client].watch.messages.first { message in
            guard case .failed = message.told, !message.isGivenUp else { return false }
            return message.user == userName(user)
        }?.id
    }

    private func waitingMessage(_ client: Int) -> MessageID? {
        guard clients[client].isAlive, let user = clients[client].user else { return nil }
        return clients[client].watch.messages.last { message in
            guard !message.isGivenUp, message.user == userName(user) else { return false }
            switch message.told {
            case .failed, .queued, .uploading: return true
            default: return false
            }
        }?.id
    }

    private func leave(_ client: Int, _ next: Int, _ wait: Int64, isLogout: Bool) {
        guard clients[client].isAlive, let user = clients[client].user else { return }
        let ticket = isLogout ? ticket(client) : nil
        parts(client, from: user, ticket: ticket, by: isLogout ? "logout" : "deauthorize")
        let life = clients[client].life
        hand(ticket.map { .logout($0) } ?? .deauthorize, to: client)
        if clients[client].life == life, clients[client].isAlive, !clients[client].failedNow {
            nothingIsLeft(client, userName(user), isLogout: isLogout)
        }
        clients[client].visibleScreen = nil
        after(milliseconds: wait, .authorize(client: client, life: life, user: next))
    }

    // MARK: The operator

    func operatorSays(_ user: Int) {
        operatorWords += 1
        act(.says("operator to \(userName(user)) \(operatorWords)"), user)
    }

    private func act(_ action: OperatorAction, _ user: Int) {
        handServer(.operatorActed(action, clientID: userName(user)))
    }

    private func newestMessage(of user: Int) -> String? {
        server.shelf.contents.messages.last {
            $0.clientID == userName(user) && !$0.isFromClient && $0.content.body == .message
                && $0.content.modified != .deleted
        }?.uuid
    }

    // MARK: Faults

    private func strikes(_ fault: Fault) {
        switch fault {
        case .loss(let client, let direction, let frames): change(client, direction) { $0.lost += frames }
        case .duplication(let client, let direction, let frames): change(client, direction) { $0.doubled += frames }
        case .reordering(let client, let direction, let frames): change(client, direction) { $0.swapped += frames }
        case .delay(let client, let direction, let frames, let milliseconds):
            change(client, direction) { weather in
                weather.delayed += frames
                weather.delay = milliseconds
            }
        case .cut(let client, let delivers): if let link = liveLink(of: client) { cut(link, delivers: delivers) }
        case .cutBeforeReply(let client): clients[client].weather.cutsBeforeReply = true
        case .silence(let client, let milliseconds):
            clients[client].weather.silentUntil = now + SimulationClock.nanoseconds(milliseconds)
        case .noRoute(let client, let milliseconds):
            clients[client].weather.noRouteUntil = now + SimulationClock.nanoseconds(milliseconds)
            if let link = liveLink(of: client) { cut(link, delivers: false) }
            hand(.network(.pathChanged(hasRoute: false)), to: client)
            after(milliseconds: milliseconds, .networkReturns(client: client))
        case .pathChange(let client):
            if let link = liveLink(of: client) { cut(link, delivers: false) }
            let path = NetworkPath(identity: "network \(server.turns)", hasRoute: true)
            hand(.network(.path(path)), to: client)
        case .failedCalls(let client, let failure, let count):
            clients[client].weather.failingCalls += [Fault.CallFailure](repeating: failure, count: count)
        case .failedUploads(let client, let count): clients[client].weather.failingUploads += count
        case .hangingUploads(let client, let count): clients[client].weather.hangingUploads += count
        case .clientCrash(let client, let effects, let unperformed, let down):
            guard clients[client].isAlive else { return }
            clients[client].doom = (effects, unperformed, down)
            after(milliseconds: 3000, .clientDies(client: client, life: clients[client].life))
        case .serverCrash(let effects, let down):
            guard server.isUp else { return }
            server.doom = (effects, down)
            after(milliseconds: 3000, .serverDies(life: server.life))
        case .clientDiskFull(let client, let commits): clients[client].failingCommits = commits
        case .serverDiskFull(let commits): server.failingCommits = commits
        case .tokenExpiry(let user, let answers):
            tokens[user] += 1
            for client in clients.indices where clients[client].user == user && !answers {
                clients[client].answersForToken = false
            }
            applyAccess()
        case .keyRotation(let isInPins, let milliseconds):
            server.key += 1
            if isInPins {
                for client in clients.indices { clients[client].pins.append(server.key) }
            } else {
                after(milliseconds: milliseconds, .pinsArrive)
            }
        case .refusedMarks(let client, let milliseconds):
            clients[client].weather.marksRefusedUntil = now + SimulationClock.nanoseconds(milliseconds)
        case .clockJump(let client, let milliseconds):
            clients[client].skew += milliseconds
            clients[client].hasJumped = true
        }
    }

    private func change(
        _ client: Int, _ direction: Fault.Direction, _ body: (inout Weather.Frames) -> Void
    ) {
        switch direction {
        case .up: body(&clients[client].weather.up)
        case .down: body(&clients[client].weather.down)
        }
    }

    /// From now on each user's newest token is accepted, and the others are known as having been so.
    func applyAccess() {
        handServer(.accessChanged(access))
    }

    var access: AccessRule {
        let valid = SimulationSetup.users.indices.map { token($0) }
        let expired = SimulationSetup.users.indices.flatMap { user in
            (1..<max(2, tokens[user])).map { "\(userName(user))-\($0)" }
        }
        return .tokens(valid: valid, expired: expired.filter { !valid.contains($0) })
    }
}
