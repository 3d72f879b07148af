import ChatCenterCore
import ChatWire

// The driver of a client: hands events to the core and carries out the effects in order, until the process ends.
extension World {
    func hand(_ event: ChatEvent, to client: Int) {
        let node = clients[client]
        guard node.isAlive else { return }
        let (sends, queue) = (SendRules(node), QueueRules(node))
        sends.judgeDeadlines(isBefore: true, &record)
        queue.judgeUploads(isBefore: true, &record)
        networkRules(client).judgeFarewellTime(links, &record)
        let wasBehind = node.isBehind
        if !wasBehind { queue.judgeOverdue(&record) }
        node.failedNow = false
        node.committedNow = false
        node.wasReady = node.reading.connection == .ready
        ScreenRules(node).judgePatience(&record)
        if case .network(.answered(let id, let result)) = event { sends.answered(id, result, at: now) }
        if case .network(.ponged(let generation)) = event { ponged(generation, client) }
        if let host = node.host { return HostedDevice(client, in: self).hand(event, to: host) }
        var next: ChatEvent? = bugs.altered(event, node)
        while let event = next, node.isAlive { next = turn(event, client) }
        guard node.isAlive else { return }
        judgeTurnEnds(of: node, wasBehind: wasBehind)
        arm(client)
    }

    /// Checks the rules after a client handled an event.
    func judgeTurnEnds(of node: ClientNode, wasBehind: Bool) {
        let (sends, queue) = (SendRules(node), QueueRules(node))
        // Pending changes are committed before newer ones.
        if node.committedNow, !node.failedNow { node.isBehind = false }
        sends.judgeDeadlines(isBefore: false, &record)
        queue.judgeUploads(isBefore: false, &record)
        if !wasBehind, !node.isBehind {
            queue.judgeQueue(&record)
            queue.judgeLookUps(&record)
            queue.judgeOverdue(&record)
        }
        sends.judgeActivity(at: now)
        ScreenRules(node).judgeTurn(&record)
    }

    /// Hands one event to the core. Returns the event that reports a failed commit, if a commit fails.
    private func turn(_ event: ChatEvent, _ client: Int) -> ChatEvent? {
        let node = clients[client]
        let entropy = streams.number(.clientEntropy, client, node.turns)
        node.turns += 1
        record.tally { $0.events += 1 }
        var effects = node.core.handle(event, at: node.moment(now), entropy: entropy)
        bugs.alter(&effects, node)
        record.add(client, event, effects)
        note("\(node.name) \(TraceText.of(event))")
        let fate = node.fate(of: effects)
        for (index, effect) in effects[..<fate.reached].enumerated() {
            if index >= fate.firstDropped, !effect.isCommit { continue }
            note("    \(TraceText.of(effect))")
            if case .commit(let transaction) = effect {
                if let failure = commit(transaction, client) {
                    note("    failed: \(failure.kind.rawValue)")
                    return .commitFailed(transaction, failure)
                }
            } else {
                perform(effect, client)
            }
            guard record.isGood else { return nil }
        }
        if fate.dies { die(client) }
        return nil
    }

    private func commit(_ transaction: StoreTransaction, _ client: Int) -> StoreFailure? {
        if clients[client].failingCommits > 0 {
            clients[client].failingCommits -= 1
            clients[client].failedNow = true
            clients[client].isBehind = true
            if bugs.isPlanted(.ignoredDiskFull) { return nil }
            return StoreFailure(.diskFull)
        }
        let transaction = bugs.altered(transaction)
        if bugs.isCommitLost(transaction, clients[client]) { return nil }
        do throws(StoreFailure) {
            try shelf.store(device: client, user: transaction.user).commit(transaction)
        } catch {
            return error
        }
        clients[client].committedNow = true
        userRules(client).kept(transaction, &record)
        return nil
    }

    func perform(_ effect: ChatEffect, _ client: Int) {
        let life = clients[client].life
        switch effect {
        case .acknowledge(let ticket, let result):
            SendRules(clients[client]).acknowledged(ticket, result, &record)
        case .network(let command): perform(command, client)
        case .publish(let screen): ScreenRules(clients[client]).published(screen, &record)
        case .notify(let notice): noticed(notice, client)
        case .askForToken(let attempt):
            clients[client].watch.isTokenRefused = true
            let answers = clients[client].answersForToken
            clients[client].answersForToken = true
            let wait = Int64(streams.number(.latency, client, attempt.number) % 2500)
            after(
                milliseconds: 50 + wait,
                .tokenComes(client: client, life: life, attempt, answers: answers))
        case .loadPage(let query):
            guard let user = clients[client].reading.authorisedClientID else { return }
            let result: Result<HistoryPage, StoreFailure>
            do throws(StoreFailure) {
                result = .success(try shelf.store(device: client, user: user).page(query))
            } catch {
                result = .failure(error)
            }
            after(milliseconds: 0, .clientEvent(client: client, life: life, .page(query, result)))
        case .holdProcess: clients[client].isHeld = true
        case .releaseProcess: clients[client].isHeld = false
        case .searchStore(let query):
            guard let user = clients[client].reading.authorisedClientID else { return }
            let result: Result<[SearchHit], StoreFailure>
            do throws(StoreFailure) {
                result = .success(try shelf.store(device: client, user: user).search(query))
            } catch {
                result = .failure(error)
            }
            after(milliseconds: 0, .clientEvent(client: client, life: life, .found(query, result)))
        case .discardFile(let file):
            clients[client].watch.discardedFiles.insert(file.name)
            QueueRules(clients[client]).judgeDiscarded(file, shelf, &record)
        // The other effects only inform the app.
        default: break
        }
    }

    private func noticed(_ notice: SDKNotice, _ client: Int) {
        let (sends, screens) = (SendRules(clients[client]), ScreenRules(clients[client]))
        switch notice {
        case .authorized(let result): screens.authorized(result, &record)
        case .connection(let connection): clients[client].watch.connection = connection
        case .transferred(let id, _): screens.transferred(id, &record)
        case .message(let id, let state): sends.told(id, state, &record)
        case .received(let ids): sends.received(ids, &record)
        case .unread(let count): userRules(client).unreadTold(count, &record)
        case .loggedOut(let ticket, let outcome):
            sends.answered(ticket, &record)
            userRules(client).loggedOut(ticket, outcome, &record)
        case .unreadAnswer(let ticket, _), .searchAnswer(let ticket, _): sends.answered(ticket, &record)
        case .reauthorizationNeeded:
            clients[client].watch.isTokenRefused = true
            after(milliseconds: 1500, .reauthorize(client: client, life: clients[client].life))
        default: break
        }
    }

    // MARK: The timer

    private func arm(_ client: Int) {
        let wake = bugs.altered(wake: clients[client].core.nextWake, clients[client], at: now)
        networkRules(client).judgeBackground(wake, &record)
        guard wake != clients[client].armed else { return }
        arm(client, at: wake)
    }

    /// Sets the timer of a client.
    func arm(_ client: Int, at wake: Int64?) {
        clients[client].armed = wake
        guard let wake else { return }
        let time = max(now, wake.addingReportingOverflow(clients[client].origin).partialValue)
        at(time, .clientWake(client: client, life: clients[client].life, due: wake))
    }

    func wake(_ client: Int, _ life: Int, _ due: Int64) {
        guard isLife(client, life), clients[client].armed == due else { return }
        clients[client].armed = nil
        hand(.wake, to: client)
        guard let next = clients[client].armed, next <= now - clients[client].origin else {
            clients[client].idleWakes = 0
            return
        }
        clients[client].idleWakes += 1
        if clients[client].idleWakes > 20 {
            complain(.quietTimer, "\(clients[client].name) sets timers that have no effect")
        }
    }

    // MARK: The process

    /// Ends the process.
    func die(_ client: Int) {
        note("\(clients[client].name) dies")
        record.tally { $0.restarts += 1 }
        for link in links.processDied(clients[client], streams) { after(milliseconds: 40, .serverSeesEnd(link: link)) }
        let down = clients[client].die()
        clients[client].host?.end()
        shelf.processEnded(device: client)
        after(milliseconds: down, .clientStarts(client: client))
    }

    func start(_ client: Int) {
        let node = clients[client]
        guard !node.isAlive else { return }
        node.start(ChatCore(settings: bugs.settings(node.settings)), at: now, streams)
        node.host?.start()
        note("\(node.name) starts")
        app(client).starts()
        guard let user = node.user else { return }
        app(client).authorize(user)
        if streams.number(.latency, client, UInt64(1000 + node.life)) % 10 < 6 { app(client).openScreen() }
    }
}
