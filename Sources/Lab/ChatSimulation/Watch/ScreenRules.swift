import ChatCenterCore
import ChatServerCore
import ChatWire

/// The rules for the published screen, and for the user's requests on it.
struct ScreenRules {
    let client: ClientNode

    init(_ client: ClientNode) {
        self.client = client
    }

    // MARK: Reports

    /// Checks that a screen is published only if it has changed.
    func published(_ screen: ChatScreenState, _ record: inout RunRecord) {
        if client.host == nil, !client.failedNow, screen == client.watch.screen {
            record.complain(.fateIsTold, "\(client.name) publishes an unchanged screen")
        }
        client.watch.screen = screen
    }

    /// Checks that each call of `authorize` has at most one outcome.
    func authorized(_ result: Result<UserIdentity, RequestFailure>, _ record: inout RunRecord) {
        client.watch.outcomes += 1
        if client.watch.outcomes > client.watch.authorizations {
            record.complain(.oneAnswer, "\(client.name) reported more outcomes of authorize than calls")
        }
        if result != .failure(.superseded) { client.watch.hasOutcome = true }
    }

    /// Notes that the end of a transfer was reported. Checks that a download ends once.
    func transferred(_ id: TransferID, _ record: inout RunRecord) {
        client.watch.endedTransfers.insert(id.text)
        guard let count = client.watch.downloads[id.text] else { return }
        client.watch.downloads[id.text] = count + 1
        if count > 0 { record.complain(.oneAnswer, "\(client.name) reported the end of \(id.text) twice") }
    }

    /// Checks after a turn that the last published screen and the last reported connection agree with the core.
    func judgeTurn(_ record: inout RunRecord) {
        if client.host == nil, client.watch.screen != client.core.screen {
            record.complain(.fateIsTold, "\(client.name) did not publish its screen")
        }
        if client.host == nil, client.watch.connection != client.reading.connection {
            record.complain(
                .fateIsTold, "\(client.name) is \(client.reading.connection) and reported \(client.watch.connection)")
        }
        guard let screen = client.watch.screen else { return }
        if case .typing = screen.title, client.reading.liveGeneration == nil {
            record.complain(.fateIsTold, "\(client.name) shows that the operator is typing without a socket")
        }
        judgeBanners(screen, &record)
        if client.reading.authorisedClientID == nil, !screen.messages.isEmpty {
            record.complain(.usersApart, "\(client.name) shows messages without an authorized user")
        }
        if client.reading.authorisedClientID == nil, screen.scroll.target != nil {
            record.complain(.usersApart, "\(client.name) scrolls to a message without an authorized user")
        }
        let draft = screen.input.text
        if !draft.isEmpty, !client.watch.hasTyped(draft, client.reading.authorisedClientID) {
            record.complain(.usersApart, "\(client.name) shows the draft of another user")
        }
    }

    /// Checks that a lost connection and a failing store have their banners.
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

    /// Checks that a sent message leaves the input field and is scrolled into view.
    func judgeSent(_ id: MessageID, _ record: inout RunRecord) {
        guard client.isAlive, let index = client.watch.index(of: id), client.watch.messages[index].isAcknowledged,
            !client.watch.messages[index].mayBeOvertaken
        else { return }
        let screen = client.core.screen
        if !screen.input.text.isEmpty || screen.input.isCut || screen.input.quote != nil {
            record.complain(.fateIsTold, "\(client.name) sent \(id) and did not clear the input field")
        }
        if screen.scroll.target != id {
            record.complain(.fateIsTold, "\(client.name) sent \(id) and does not scroll to it")
        }
    }

    /// Checks before a turn that the outcome of `authorize` was reported in time.
    func judgePatience(_ record: inout RunRecord) {
        guard client.isForeground, !client.watch.hasOutcome, client.reading.authorisedClientID != nil else { return }
        if record.now - client.judgedSince > SimulationClock.nanoseconds(Self.patience) {
            record.complain(.oneAnswer, "\(client.name) has not reported the outcome of authorize")
        }
    }

    /// In milliseconds. Several calls in a row may time out, and the token may be replaced.
    private static let patience: Int64 = 45_000

    /// Checks that the socket stays open behind a closed screen only if the settings say so.
    func judgeClosed(_ record: inout RunRecord) {
        guard client.reading.authorisedClientID != nil else { return }
        let configuration = client.core.configuration
        let isLive = client.reading.liveGeneration != nil
        if configuration.keepSocketActive.value {
            if !isLive { record.complain(.quietTimer, "\(client.name) closed the socket that its settings keep") }
        } else if !configuration.keepSocketActiveDuringOperatorSession.value, isLive {
            record.complain(.quietTimer, "\(client.name) has a socket behind a closed screen")
        }
    }

    /// Checks that the screen shows that the operator is typing.
    func judgeTyping(_ record: inout RunRecord) {
        guard client.reading.authorisedClientID != nil, let screen = client.watch.screen else { return }
        if case .typing = screen.title { return }
        record.complain(.fateIsTold, "\(client.name) does not show that the operator is typing: \(screen.title)")
    }

    // MARK: The end

    /// Checks at the end that nothing is pending and that no problem is shown.
    func judgeRest(_ record: inout RunRecord) {
        guard client.reading.authorisedClientID != nil, let screen = client.watch.screen else { return }
        if screen.connection != .ready || screen.title == .connecting {
            record.complain(.rest, "\(client.name) is not connected at the end: \(screen.connection)")
        }
        if case .typing = screen.title {
            record.complain(.rest, "\(client.name) does not stop showing that the operator is typing")
        }
        if !screen.banners.isEmpty {
            record.complain(.rest, "\(client.name) shows problems that have ended: \(screen.banners)")
        }
        if screen.messages.contains(where: { $0.kind == .message && $0.author == .system }) {
            record.complain(.fateIsTold, "\(client.name) shows a message without its author")
        }
        if screen.paging == .loading { record.complain(.rest, "\(client.name) never stops loading older messages") }
        if screen.search?.isSearching == true { record.complain(.rest, "\(client.name) never stops searching") }
        if !client.watch.hasOutcome {
            record.complain(.oneAnswer, "\(client.name) never reported the outcome of authorize")
        }
        for number in 0...client.tickets where client.watch.tickets[number] == 0 {
            record.complain(.oneAnswer, "\(client.name) never answered ticket \(number)")
        }
        judgeDownloads(&record)
    }

    /// Checks that the end of every download was reported. Called at the end and when the user leaves.
    func judgeDownloads(_ record: inout RunRecord) {
        for number in 0..<client.transfers where client.watch.downloads[client.download(number).text] == 0 {
            record.complain(.oneAnswer, "\(client.name) never reported the end of \(client.download(number).text)")
        }
    }

    private static let smallestPage = 5

    /// Checks that a search on the screen finds existing messages, each once.
    func judgeSearch(_ server: ServerSnapshot, _ record: inout RunRecord) {
        guard let user = client.reading.authorisedClientID, let search = client.watch.screen?.search else { return }
        let found = search.results.map(\.id.text)
        let there = server.messages.filter { $0.clientID == user && $0.isInHistory }.map(\.uuid)
        if search.isSearching || search.failure != nil {
            record.complain(.rest, "\(client.name) did not finish the search for \(search.text): \(search)")
        }
        if Set(found).count != found.count || !found.allSatisfy(there.contains)
            || !search.isLocal && found.count < min(client.watch.hits, Self.smallestPage + 1)
        {
            record.complain(.complete, "\(client.name) found \(found), but the messages are \(there)")
        }
    }
}
