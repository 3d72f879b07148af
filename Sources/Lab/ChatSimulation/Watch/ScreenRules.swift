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
    func published(_ screen: ChatScreenState, _ record: inout RunRecord) {
        if client.host == nil, !client.failedNow, screen == client.watch.screen {
            record.complain(.fateIsTold, "\(client.name) publishes the screen that it shows already")
        }
        client.watch.screen = screen
    }

    /// The outcome of `authorize`: one for each call at most.
    func authorized(_ result: Result<UserIdentity, RequestFailure>, _ record: inout RunRecord) {
        client.watch.outcomes += 1
        if client.watch.outcomes > client.watch.authorizations {
            record.complain(.oneAnswer, "\(client.name) told the outcome of authorize twice, or unasked")
        }
        if result != .failure(.superseded) { client.watch.hasOutcome = true }
    }

    /// A transfer has ended: a download ends once.
    func transferred(_ id: TransferID, _ record: inout RunRecord) {
        client.watch.endedTransfers.insert(id.text)
        guard let count = client.watch.downloads[id.text] else { return }
        client.watch.downloads[id.text] = count + 1
        if count > 0 { record.complain(.oneAnswer, "\(client.name) told twice how \(id.text) ended") }
    }

    /// After a turn: what was told last is what there is.
    func judgeTurn(_ record: inout RunRecord) {
        let core = client.core
        if client.host == nil, client.watch.screen != core.screen {
            record.complain(.fateIsTold, "\(client.name) shows another screen than it published")
        }
        if client.host == nil, client.watch.connection != core.connection {
            record.complain(.fateIsTold, "\(client.name) is \(core.connection) and told \(client.watch.connection)")
        }
        guard let screen = client.watch.screen else { return }
        if case .typing = screen.title, core.liveGeneration == nil {
            record.complain(.fateIsTold, "\(client.name) shows that somebody types, and has no socket")
        }
        judgeBanners(screen, &record)
        if core.authorisedClientID == nil, !screen.messages.isEmpty {
            record.complain(.usersApart, "\(client.name) shows messages, and nobody is authorised")
        }
        if core.authorisedClientID == nil, screen.scroll.target != nil {
            record.complain(.usersApart, "\(client.name) brings a message of nobody into view")
        }
        if !screen.input.text.isEmpty, client.watch.draftStay != client.watch.stays {
            record.complain(.usersApart, "\(client.name) shows what another user typed")
        }
    }

    /// A problem is shown as long as there is one.
    private func judgeBanners(_ screen: ChatScreenState, _ record: inout RunRecord) {
        if case .waitingToReconnect(_, _, let cause) = screen.connection, cause != .tooManyAttempts,
            !screen.banners.contains(.connectionLost(cause))
        {
            record.complain(.fateIsTold, "\(client.name) does not show that its connection was lost")
        }
        let showsFailure = screen.banners.contains { if case .storeFailed = $0 { true } else { false } }
        if client.host == nil, client.failedNow, !showsFailure {
            record.complain(.fateIsTold, "\(client.name) does not show that its store fails")
        }
    }

    /// What was sent leaves the input field, and is brought into view.
    func judgeSent(_ id: MessageID, _ record: inout RunRecord) {
        guard client.isAlive, let index = client.watch.index(of: id), client.watch.messages[index].isAcknowledged,
            !client.watch.messages[index].mayBeOvertaken
        else { return }
        let screen = client.core.screen
        if !screen.input.text.isEmpty || screen.input.isCut || screen.input.quote != nil {
            record.complain(.fateIsTold, "\(client.name) sent \(id), and it is still in the input field")
        }
        if screen.scroll.target != id {
            record.complain(.fateIsTold, "\(client.name) sent \(id), and it is not brought into view")
        }
    }

    /// Before a turn: the outcome of `authorize` came in time.
    func judgePatience(_ record: inout RunRecord) {
        guard client.isForeground, !client.watch.hasOutcome, client.core.authorisedClientID != nil else { return }
        if record.now - client.judgedSince > SimulationClock.nanoseconds(Self.patience) {
            record.complain(.oneAnswer, "\(client.name) has not told the outcome of authorize")
        }
    }

    /// Milliseconds: several calls in a row may time out, and a token be replaced.
    private static let patience: Int64 = 45_000

    /// With a closed screen there is a socket only if the settings keep it.
    func judgeClosed(_ record: inout RunRecord) {
        guard client.core.authorisedClientID != nil else { return }
        let configuration = client.core.configuration
        let isLive = client.core.liveGeneration != nil
        if configuration.keepSocketActive.value {
            if !isLive { record.complain(.quietTimer, "\(client.name) has not kept its socket") }
        } else if !configuration.keepSocketActiveDuringOperatorSession.value, isLive {
            record.complain(.quietTimer, "\(client.name) has a socket that nobody needs")
        }
    }

    /// The screen shows that the operator types.
    func judgeTyping(_ record: inout RunRecord) {
        guard client.core.authorisedClientID != nil, let screen = client.watch.screen else { return }
        if case .typing = screen.title { return }
        record.complain(.fateIsTold, "\(client.name) does not show that somebody types: \(screen.title)")
    }

    // MARK: The end

    /// In the end nothing is awaited, and nothing is wrong.
    func judgeRest(_ record: inout RunRecord) {
        guard client.core.authorisedClientID != nil, let screen = client.watch.screen else { return }
        if screen.connection != .ready || screen.title == .connecting {
            record.complain(.rest, "\(client.name) is not connected in the end: \(screen.connection)")
        }
        if case .typing = screen.title {
            record.complain(.rest, "\(client.name) shows for ever that somebody types")
        }
        if !screen.banners.isEmpty {
            record.complain(.rest, "\(client.name) shows problems that are over: \(screen.banners)")
        }
        if screen.messages.contains(where: { $0.kind == .message && $0.author == .system }) {
            record.complain(.fateIsTold, "\(client.name) shows a message without its author")
        }
        if screen.paging == .loading { record.complain(.rest, "\(client.name) loads older messages for ever") }
        if screen.search?.isSearching == true { record.complain(.rest, "\(client.name) searches for ever") }
        if !client.watch.hasOutcome {
            record.complain(.oneAnswer, "\(client.name) never told the outcome of authorize")
        }
        for number in 0...client.tickets where client.watch.tickets[number] == 0 {
            record.complain(.oneAnswer, "\(client.name) never answered ticket \(number)")
        }
        judgeDownloads(&record)
    }

    /// In the end, and when the user leaves, nobody waits for a download.
    func judgeDownloads(_ record: inout RunRecord) {
        for number in 0..<client.transfers where client.watch.downloads[client.download(number).text] == 0 {
            record.complain(.oneAnswer, "\(client.name) never told how \(client.download(number).text) ended")
        }
    }

    private static let smallestPage = 5

    /// A search on the screen finds messages that are there, each once.
    func judgeSearch(_ server: ServerSnapshot, _ record: inout RunRecord) {
        guard let user = client.core.authorisedClientID, let search = client.watch.screen?.search else { return }
        let found = search.results.map(\.id.text)
        let there = server.messages.filter { $0.clientID == user && $0.isInHistory }.map(\.uuid)
        if search.isSearching || search.failure != nil {
            record.complain(.rest, "\(client.name) has not found \(search.text): \(search)")
        }
        if Set(found).count != found.count || !found.allSatisfy(there.contains)
            || !search.isLocal && found.count < min(client.watch.hits, Self.smallestPage + 1)
        {
            record.complain(.complete, "\(client.name) found \(found) of \(there)")
        }
    }
}
