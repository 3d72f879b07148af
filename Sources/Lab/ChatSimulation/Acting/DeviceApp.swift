import ChatCenterCore
import ChatServerCore
import ChatWire

/// The application that uses a client's core, and its user.
struct DeviceApp {
    private let world: World
    private let client: Int

    init(_ client: Int, in world: World) {
        self.client = client
        self.world = world
    }

    private var node: ClientNode { world.clients[client] }

    private func hand(_ event: ChatEvent) {
        world.hand(event, to: client)
    }

    /// Starts the process: the app hands the push token and the stored farewells to the core.
    func starts() {
        hand(.pushToken("push-\(client)"))
        for user in SimulationSetup.users {
            do throws(StoreFailure) {
                let kept = try world.shelf.store(device: client, user: user).restore(window: 0)
                if let farewell = kept.farewell { hand(.pendingFarewell(farewell)) }
            } catch {
                world.complain(.storeAgrees, "the store of \(user) cannot be read: \(error.kind.rawValue)")
            }
        }
    }

    /// Authorizes a user with the contents of the user's store.
    func authorize(_ user: Int) {
        let name = SimulationSetup.users[user]
        let past = node.user
        if let past, past != user { parts(from: past, ticket: nil, isRemembered: true) }
        node.user = user
        node.watch.excusePartings(of: name)
        let identity = UserIdentity(clientID: name, name: name.uppercased())
        var restored = PersistedChat.empty
        if past != user || node.reading.authorisedClientID == nil {
            do throws(StoreFailure) {
                restored = world.bugs.altered(
                    try world.shelf.store(device: client, user: name).restore(window: PersistedChat.restoredMessages),
                    of: name, world.server)
            } catch {
                world.complain(.storeAgrees, "the store of \(name) cannot be read: \(error.kind.rawValue)")
            }
            world.userRules(client).restoredIsWhole(restored, name, &world.record)
        }
        node.watch.unreadTold = 0
        if node.lastUser != user { node.tokenOfPreviousUser = node.lastToken }
        node.lastUser = user
        node.lastToken = world.tokens.token(of: user)
        node.judgedSince = world.now
        let token = world.tokens.token(of: user)
        let changesNothing =
            past == user && node.reading.authorisedClientID == name && node.watch.hasOutcome
            && node.watch.token == token && !node.watch.isTokenRefused
        node.watch.token = token
        node.watch.isTokenRefused = false
        node.watch.authorizations += 1
        node.watch.hasOutcome = false
        let isOwed = node.watch.owedErasures.contains(name)
        hand(.authorize(identity, WireCredentials(token: world.tokens.token(of: user)), restored: restored))
        if changesNothing, node.isAlive, !node.failedNow, !node.watch.hasOutcome {
            world.complain(.oneAnswer, "\(node.name) did not report the outcome of a repeated authorize")
        }
        if isOwed, past != user, !node.core.screen.messages.isEmpty {
            world.complain(.usersApart, "\(node.name) shows \(name) messages that must be erased")
        }
    }

    /// Ends a user's stay on the device, as the app sees it. The server must delete the device of a user who logs out
    /// or is replaced.
    func parts(from user: Int, ticket: Ticket?, isRemembered: Bool) {
        let name = SimulationSetup.users[user]
        var address: String?
        do throws(StoreFailure) {
            address = try world.shelf.store(device: client, user: name).restore(window: 0).deviceAddress
        } catch {
            address = nil
        }
        // The address in the store is unknown while a commit is pending, and it may belong to an earlier stay.
        if node.isBehind { address = nil }
        // The server keeps the device of a user who is deauthorized. This is documented.
        if isRemembered {
            node.watch.partings.append(
                Parting(
                    user: name, address: address, ticket: ticket, time: world.now,
                    isExcused: node.reading.authorisedClientID != name))
        }
        node.watch.forgetReports(of: name)
        if node.reading.authorisedClientID == name { node.watch.owedErasures.insert(name) }
        node.watch.giveUp(user: name)
        node.user = nil
    }

    func tokenComes(_ attempt: TokenAttempt, _ answers: Bool) {
        let credentials = answers ? node.user.map { WireCredentials(token: world.tokens.token(of: $0)) } : nil
        if node.core.isAsking(attempt) {
            node.watch.isTokenRefused = false
            node.watch.token = credentials?.token ?? node.watch.token
        }
        hand(.token(attempt, credentials))
    }

    func openScreen() {
        guard node.isAlive, node.isForeground, node.user != nil else { return }
        node.screens += 1
        let screen = ScreenID(node.screens)
        hand(.getChat(screen))
        node.visibleScreen = screen.number
        let past = node.core.screen.scroll.number
        hand(.screenAppeared(screen))
        let shown = node.core.screen
        if node.isAlive, node.reading.authorisedClientID != nil, shown.scrollsToLatest, !shown.messages.isEmpty,
            shown.scroll.number == past
        {
            world.complain(.fateIsTold, "\(node.name) opens its screen and does not scroll to the newest message")
        }
    }

    func closeScreen() {
        guard let screen = node.visibleScreen else { return }
        node.visibleScreen = nil
        hand(.screenDisappeared(ScreenID(screen)))
    }

    /// Searches for the user's name and downloads three files. The second download is cancelled, and the server does
    /// not have the third file.
    func browse() {
        guard node.isAlive, let user = node.user else { return }
        let name = SimulationSetup.users[user]
        node.watch.hits = world.server.shelf.contents.messages.count { message in
            message.clientID == name && message.isInHistory && message.content.text?.contains(name) == true
        }
        hand(.searchTyped(name))
        for isWanted in [true, false, true] {
            guard node.isAlive else { return }
            let id = node.download(node.transfers)
            node.transfers += 1
            node.watch.downloads[id.text] = 0
            hand(.download(id, reference: "/downloads/\(id.text)"))
            if !isWanted { hand(.cancelTransfer(id)) }
        }
    }

    /// Requests more search results, rates a survey, types a text that is too long, and answers a message with a quote.
    func goOn() {
        guard node.isAlive, node.user != nil else { return }
        hand(.searchMore)
        let survey = node.core.screen.surveys.last { $0.kind == .rating && !$0.isAnswered }
        if let survey, let question = survey.questions.first {
            node.watch.hasRated = true
            hand(.rateSurvey(survey.id, question: question.id, rate: Self.rate))
            hand(.submitSurvey(survey.id))
        }
        types(String(repeating: "too long ", count: 1000))
        let quoted = node.core.screen.messages.last { message in
            guard case .me = message.author else { return message.kind == .message }
            return false
        }
        hand(.quote(quoted?.id))
        if node.core.screen.input.quote != nil { node.watch.quotingNumber = node.sends + 1 }
        say(files: 0)
    }

    func types(_ text: String) {
        node.watch.typed(text, by: node.reading.authorisedClientID)
        node.watch.typedAt = world.now
        hand(.typed(text))
    }

    /// The rate that the user chooses on the screen.
    static let rate: Int64 = 4

    func enterBackground(for milliseconds: Int64) {
        guard node.isAlive, node.isForeground else { return }
        node.isForeground = false
        node.backgroundSince = world.now
        hand(.enteredBackground)
        world.after(milliseconds: milliseconds, .foreground(client: client, life: node.life))
    }

    func enterForeground() {
        guard !node.isForeground else { return }
        node.isForeground = true
        node.judgedSince = world.now
        hand(.enteredForeground)
        guard node.isAlive, node.reading.authorisedClientID != nil, !node.failedNow, !node.watch.isTokenRefused else {
            return
        }
        if node.core.screen.input.blocked == .notConfigured, node.watch.configurationCalls.isEmpty {
            world.complain(.complete, "\(node.name) does not request the missing configuration in the foreground")
        }
    }

    func say(files: Int, body: ContentBody = .message) {
        guard node.isAlive, let user = node.user else { return }
        let name = SimulationSetup.users[user]
        let (id, message) = node.compose(of: name, files: files, body)
        let ticket = node.nextTicket()
        node.watch.tickets[ticket.number] = 0
        hand(.send(ticket, id, message))
        if node.isAlive, node.watch.tickets[ticket.number] == 0, world.record.isGood {
            world.complain(.oneAnswer, "send of \(id) for \(name) was not answered in its turn")
        }
        ScreenRules(node).judgeSent(id, &world.record)
    }
}
