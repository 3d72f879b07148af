import ChatCenterCore
import ChatServerCore
import ChatWire

/// Carries out the entries of the plan: actions of users and operators, and faults.
struct PlanPerformer {
    private let world: World

    init(_ world: World) {
        self.world = world
    }

    private var clients: [ClientNode] { world.clients }

    private func hand(_ event: ChatEvent, to client: Int) {
        world.hand(event, to: client)
    }

    private func app(_ client: Int) -> DeviceApp { world.app(client) }

    func happens(_ item: PlannedItem) {
        world.note("== \(item.number): \(item.happening.text)")
        switch item.happening {
        case .send(let client, let files): app(client).say(files: files)
        case .answerSurvey(let client):
            app(client).say(files: 0, body: .surveyQuestionAnswer(SurveyAnswer(questionID: 1, rate: 5)))
        case .resend(let client):
            guard let user = authorised(client), let id = clients[client].watch.failedMessage(of: user) else { return }
            if clients[client].watch.resend(id) { hand(.resend(id), to: client) }
        case .discard(let client):
            guard let user = authorised(client), let id = clients[client].watch.waitingMessage(of: user) else { return }
            if clients[client].watch.discard(id) { hand(.discard(id), to: client) }
        case .typed(let client): app(client).types("draft \(item.number)")
        case .loadOlder(let client): hand(.loadOlder, to: client)
        case .reload(let client): hand(.reload, to: client)
        case .askUnreadCount(let client): asksUnreadCount(client)
        case .search(let client): hand(.search(ticket(client), query: "1", page: 0), to: client)
        case .browse(let client): app(client).browse()
        case .openScreen(let client): app(client).openScreen()
        case .closeScreen(let client): app(client).closeScreen()
        case .background(let client, let milliseconds): app(client).enterBackground(for: milliseconds)
        case .logout(let client, let next, let wait): leave(client, next, wait, isLogout: true)
        case .deauthorize(let client, let next, let wait): leave(client, next, wait, isLogout: false)
        case .handOver(let client, let next):
            if clients[client].isAlive, clients[client].user != nil { app(client).authorize(next) }
        case .operatorSays(let user): operatorSays(user)
        case .operatorEdits(let user):
            guard let message = newestMessage(of: user) else { return }
            act(.edits(message: message, text: "edited \(world.server.nextWord())"), user)
        case .operatorDeletes(let user):
            if let message = newestMessage(of: user) { act(.deletes(message: message), user) }
        case .operatorReads(let user): act(.reads, user)
        case .operatorTypes(let user): types(user)
        case .operatorClosesThread(let user): act(.closesThread, user)
        case .operatorAsksSurvey(let user): asksSurvey(user)
        case .fault(let fault):
            world.record.tally { $0.count(fault.kind) }
            strikes(fault)
        }
    }

    /// Requests the server's unread count.
    func asksUnreadCount(_ client: Int) { hand(.unreadCount(ticket(client)), to: client) }

    private func ticket(_ client: Int) -> Ticket {
        let ticket = clients[client].nextTicket()
        if clients[client].isAlive { clients[client].watch.tickets[ticket.number] = 0 }
        return ticket
    }

    /// The user that the app of a running process regards as authorized.
    private func authorised(_ client: Int) -> String? {
        clients[client].isAlive ? clients[client].user.map { SimulationSetup.users[$0] } : nil
    }

    private func leave(_ client: Int, _ next: Int, _ wait: Int64, isLogout: Bool) {
        guard clients[client].isAlive, let user = clients[client].user else { return }
        let ticket = isLogout ? ticket(client) : nil
        app(client).parts(from: user, ticket: ticket, isRemembered: isLogout)
        let life = clients[client].life
        hand(ticket.map { .logout($0) } ?? .deauthorize, to: client)
        if clients[client].life == life, clients[client].isAlive, !clients[client].failedNow {
            world.userRules(client).nothingIsLeft(of: SimulationSetup.users[user], isLogout: isLogout, &world.record)
        }
        if clients[client].life == life, !clients[client].failedNow {
            ScreenRules(clients[client]).judgeDownloads(&world.record)
        }
        clients[client].visibleScreen = nil
        world.after(milliseconds: wait, .authorize(client: client, life: life, user: next))
    }

    // MARK: The operator

    func operatorSays(_ user: Int) {
        act(.says("operator to \(SimulationSetup.users[user]) \(world.server.nextWord())"), user)
    }

    /// Sends a message of the operator and a survey.
    func greets(_ user: Int) {
        operatorSays(user)
        asksSurvey(user)
    }

    private func asksSurvey(_ user: Int) {
        let question = SurveyQuestion(id: 1, text: "How was it?", scale: 5)
        act(.pushes(Content(.survey(Survey(id: 1, hideAfter: 60, questions: [question]))), isKept: true), user)
    }

    func types(_ user: Int) { act(.types, user) }

    private func act(_ action: OperatorAction, _ user: Int) {
        world.handServer(.operatorActed(action, clientID: SimulationSetup.users[user]))
    }

    private func newestMessage(of user: Int) -> String? {
        world.server.shelf.contents.messages.last {
            $0.clientID == SimulationSetup.users[user] && !$0.isFromClient && $0.content.body == .message
                && $0.content.modified != .deleted
        }?.uuid
    }

    // MARK: Faults

    private func strikes(_ fault: Fault) {
        switch fault {
        case .loss(let client, _, _), .duplication(let client, _, _), .reordering(let client, _, _),
            .delay(let client, _, _, _), .cutBeforeReply(let client), .silence(let client, _),
            .failedCalls(let client, _, _), .failedUploads(let client, _), .hangingUploads(let client, _),
            .refusedMarks(let client, _), .refusedHandshake(let client):
            clients[client].conditions.strike(fault, at: world.now)
        case .cut(let client, let delivers):
            if let link = world.liveLink(of: client) { world.cut(link, delivers: delivers) }
        case .noRoute(let client, let milliseconds):
            clients[client].conditions.strike(fault, at: world.now)
            if let link = world.liveLink(of: client) { world.cut(link, delivers: false) }
            hand(.network(.pathChanged(hasRoute: false)), to: client)
            world.after(milliseconds: milliseconds, .networkReturns(client: client))
        case .pathChange(let client):
            if let link = world.liveLink(of: client) { world.cut(link, delivers: false) }
            let path = NetworkPath(identity: "network \(world.server.turns)", hasRoute: true)
            hand(.network(.path(path)), to: client)
        case .clientCrash(let client, let effects, let unperformed, let down):
            guard clients[client].isAlive else { return }
            clients[client].condemn(PlannedCrash(afterEffects: effects, unperformed: unperformed, down: down))
            world.after(milliseconds: 3000, .clientDies(client: client, life: clients[client].life))
        case .serverCrash(let effects, let down):
            guard world.server.isUp else { return }
            world.server.plannedCrash = PlannedCrash(afterEffects: effects, down: down)
            world.after(milliseconds: 3000, .serverDies(life: world.server.life))
        case .clientDiskFull(let client, let commits): clients[client].failingCommits = commits
        case .serverDiskFull(let commits): world.server.failingCommits = commits
        case .tokenExpiry(let user, let answers):
            world.tokens.renew(user)
            for client in clients where client.user == user && !answers { client.answersForToken = false }
            world.applyAccess()
        case .keyRotation(let isInPins, let milliseconds):
            world.server.key += 1
            if isInPins {
                for client in clients { client.pins.append(world.server.key) }
            } else {
                world.after(milliseconds: milliseconds, .pinsArrive)
            }
        case .clockJump(let client, let milliseconds):
            clients[client].skew += milliseconds
            clients[client].hasJumped = true
        }
    }
}
