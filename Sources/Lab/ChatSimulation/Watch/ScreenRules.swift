import ChatCenterCore
import ChatServerCore
import ChatWire

/// The rules of what an app is told of its screen, and of what its user asks there.
struct ScreenRules {
    let client: ClientNode

    init(_ client: ClientNode) {
        self.client = client
    }

    // MARK: What is told

    /// A screen is published when it has changed.
    func published(_ screen: ChatScreenState, _ chronicle: inout Chronicle) {
        if client.host == nil, !client.failedNow, screen == client.watch.screen {
            chronicle.complain(.fateIsTold, "\(client.name) publishes the screen that it shows already")
        }
        client.watch.screen = screen
    }

    /// The outcome of `authorize`: one for each call at most.
    func authorized(_ result: Result<UserIdentity, RequestFailure>, _ chronicle: inout Chronicle) {
        client.watch.outcomes += 1
        if client.watch.outcomes > client.watch.authorizations {
            chronicle.complain(.oneAnswer, "\(client.name) told the outcome of authorize twice, or unasked")
        }
        if result != .failure(.superseded) { client.watch.hasOutcome = true }
    }

    /// A transfer has ended: a download ends once.
    func transferred(_ id: TransferID, _ chronicle: inout Chronicle) {
        client.watch.endedTransfers.insert(id.text)
        guard let count = client.watch.downloads[id.text] else { return }
        client.watch.downloads[id.text] = count + 1
        if count > 0 { chronicle.complain(.oneAnswer, "\(client.name) told twice how \(id.text) ended") }
    }

    /// After a turn: what was told last is what there is.
    func judgeTurn(_ chronicle: inout Chronicle) {
        let core = client.core
        if client.host == nil, client.watch.screen != core.screen {
            chronicle.complain(.fateIsTold, "\(client.name) shows another screen than it published")
        }
        if client.host == nil, client.watch.connection != core.connection {
            chronicle.complain(.fateIsTold, "\(client.name) is \(core.connection) and told \(client.watch.connection)")
        }
        guard let screen = client.watch.screen else { return }
        if case .typing = screen.title, core.liveGeneration == nil {
            chronicle.complain(.fateIsTold, "\(client.name) shows that somebody types, and has no socket")
        }
        judgeBanners(screen, &chronicle)
        if core.authorisedClientID == nil, !screen.messages.isEmpty {
            chronicle.complain(.usersApart, "\(client.name) shows messages, and nobody is authorised")
        }
        if core.authorisedClientID == nil, screen.scroll.target != nil {
            chronicle.complain(.usersApart, "\(client.name) brings a message of nobody into view")
        }
        if !screen.input.text.isEmpty, client.watch.draftStay != client.watch.stays {
            chronicle.complain(.usersApart, "\(client.name) shows what another user typed")
        }
    }

    /// A problem is shown as long as there is one.
    private func judgeBanners(_ screen: ChatScreenState, _ chronicle: inout Chronicle) {
        if case .waitingToReconnect(_, _, let cause) = screen.connection, cause != .tooManyAttempts,
            !screen.banners.contains(.connectionLost(cause))
        {
            chronicle.complain(.fateIsTold, "\(client.name) does not show that its connection was lost")
        }
        let showsFailure = screen.banners.contains { if case .storeFailed = $0 { true } else { false } }
        if client.host == nil, client.failedNow, !showsFailure {
            chronicle.complain(.fateIsTold, "\(client.name) does not show that its store fails")
        }
    }

    /// What was sent leaves the input field, and is brought into view.
    func judgeSent(_ id: MessageID, _ chronicle: inout Chronicle) {
        guard client.isAlive, let index = client.watch.index(of: id), client.watch.messages[index].isAcknowledged,
            !client.watch.messages[index].mayBeOvertaken
        else { return }
        let screen = client.core.screen
        if !screen.input.text.isEmpty || screen.input.isCut || screen.input.quote != nil {
            chronicle.complain(.fateIsTold, "\(client.name) sent \(id), and it is still in the input field")
        }
        if screen.scroll.target != id {
            chronicle.complain(.fateIsTold, "\(client.name) sent \(id), and it is not brought into view")
        }
    }

    /// Before a turn: the outcome of `authorize` came in time.
    func judgePatience(_ chronicle: inout Chronicle) {
        guard client.isForeground, !client.watch.hasOutcome, client.core.authorisedClientID != nil else { return }
        if chronicle.now - client.judgedSince > SimulationClock.nanoseconds(Self.patience) {
            chronicle.complain(.oneAnswer, "\(client.name) has not told the outcome of authorize")
        }
    }

    /// Milliseconds: several calls in a row may time out, and a token be replaced.
    private static let patience: Int64 = 45_000

    /// With a closed screen there is a socket only if the settings keep it.
    func judgeClosed(_ chronicle: inout Chronicle) {
        guard client.core.authorisedClientID != nil else { return }
        let configuration = client.core.configuration
        let isLive = client.core.liveGeneration != nil
        if configuration.keepSocketActive.value {
            if !isLive { chronicle.complain(.quietTimer, "\(client.name) has not kept its socket") }
        } else if !configuration.keepSocketActiveDuringOperatorSession.value, isLive {
            chronicle.complain(.quietTimer, "\(client.name) has a socket that nobody needs")
        }
    }

    /// The screen shows that the operator types.
    func judgeTyping(_ chronicle: inout Chronicle) {
        guard client.core.authorisedClientID != nil, let screen = client.watch.screen else { return }
        if case .typing = screen.title { return }
        chronicle.complain(.fateIsTold, "\(client.name) does not show that somebody types: \(screen.title)")
    }

    // MARK: The end

    /// In the end nothing is awaited, and nothing is wrong.
    func judgeRest(_ chronicle: inout Chronicle) {
        guard client.core.authorisedClientID != nil, let screen = client.watch.screen else { return }
        if screen.connection != .ready || screen.title == .connecting {
            chronicle.complain(.rest, "\(client.name) is not connected in the end: \(screen.connection)")
        }
        if case .typing = screen.title {
            chronicle.complain(.rest, "\(client.name) shows for ever that somebody types")
        }
        if !screen.banners.isEmpty {
            chronicle.complain(.rest, "\(client.name) shows problems that are over: \(screen.banners)")
        }
        if screen.paging == .loading { chronicle.complain(.rest, "\(client.name) loads older messages for ever") }
        if screen.search?.isSearching == true { chronicle.complain(.rest, "\(client.name) searches for ever") }
        if !client.watch.hasOutcome {
            chronicle.complain(.oneAnswer, "\(client.name) never told the outcome of authorize")
        }
        for number in 0...client.tickets where client.watch.tickets[number] == 0 {
            chronicle.complain(.oneAnswer, "\(client.name) never answered ticket \(number)")
        }
        judgeDownloads(&chronicle)
    }

    /// In the end, and when the user leaves, nobody waits for a download.
    func judgeDownloads(_ chronicle: inout Chronicle) {
        for number in 0..<client.transfers where client.watch.downloads[client.download(number).text] == 0 {
            chronicle.complain(.oneAnswer, "\(client.name) never told how \(client.download(number).text) ended")
        }
    }

    private static let smallestPage = 5

    /// A search on the screen finds messages that are there, each once.
    func judgeSearch(_ server: ServerSnapshot, _ chronicle: inout Chronicle) {
        guard let user = client.core.authorisedClientID, let search = client.watch.screen?.search else { return }
        let found = search.results.map(\.id.text)
        let there = server.messages.filter { $0.clientID == user && $0.isInHistory }.map(\.uuid)
        if search.isSearching || search.failure != nil {
            chronicle.complain(.rest, "\(client.name) has not found \(search.text): \(search)")
        }
        if Set(found).count != found.count || !found.allSatisfy(there.contains)
            || !search.isLocal && found.count < min(client.watch.hits, Self.smallestPage + 1)
        {
            chronicle.complain(.complete, "\(client.name) found \(found) of \(there)")
        }
    }
}
