import ChatCenterCore
import ChatWire

// The driver of a client: hands events to the core, and carries out what it asks for, in order, until the process dies.
extension World {
    func hand(_ event: ChatEvent, to client: Int) {
        guard clients[client].isAlive else { return }
        judgeDeadlines(client, isBefore: true)
        judgeUploads(client, isBefore: true)
        judgeFarewellTime(client)
        let wasBehind = clients[client].isBehind
        if !wasBehind { judgeOverdue(client) }
        clients[client].failedNow = false
        clients[client].committedNow = false
        if case .network(.answered(let id, .success(.history))) = event { historyAnswered(id, client) }
        if case .network(.ponged(let generation)) = event { ponged(generation, client) }
        var next: ChatEvent? = altered(event, client)
        while let event = next, clients[client].isAlive { next = turn(event, client) }
        guard clients[client].isAlive else { return }
        // What is behind goes out before anything else.
        if clients[client].committedNow, !clients[client].failedNow { clients[client].isBehind = false }
        judgeDeadlines(client, isBefore: false)
        judgeUploads(client, isBefore: false)
        if !wasBehind, !clients[client].isBehind {
            judgeQueue(client)
            judgeOverdue(client)
        }
        judgeActivity(client)
        arm(client)
    }

    /// One call of the core. Gives the event that a failed commit is.
    private func turn(_ event: ChatEvent, _ client: Int) -> ChatEvent? {
        let entropy = draws.number(.clientEntropy, client, clients[client].turns)
        clients[client].turns += 1
        figures.events += 1
        var effects = clients[client].core.handle(event, at: clients[client].moment(now), entropy: entropy)
        alter(&effects, client)
        trace.add(now, client, event, effects)
        if options.keepsTurns {
            turns.append(ClientTurn(client: client, time: now, event: event, effects: effects))
        }
        note("\(Self.name(client)) \(TraceText.of(event))")
        var limit = effects.count
        var unperformed = 0
        var dies = false
        if let doom = clients[client].doom {
            dies = doom.effects <= effects.count
            if dies {
                limit = doom.effects
                unperformed = doom.unperformed
            } else {
                clients[client].doom?.effects -= effects.count
            }
        }
        // The real driver commits within the turn and carries the rest out a little later: of what is no commit, the
        // last ones may never be carried out.
        var firstDropped = limit
        while unperformed > 0, firstDropped > 0 {
            firstDropped -= 1
            if !effects[firstDropped].isCommit { unperformed -= 1 }
        }
        for index in 0..<limit {
            let effect = effects[index]
            if index >= firstDropped, !effect.isCommit { continue }
            note("    \(TraceText.of(effect))")
            if case .commit(let transaction) = effect {
                if let failure = commit(transaction, client) {
                    note("    failed: \(failure.kind.rawValue)")
                    return .commitFailed(transaction, failure)
                }
            } else {
                perform(effect, client)
            }
            guard complaints.isEmpty else { return nil }
        }
        if dies { die(client) }
        return nil
    }

    private func commit(_ transaction: StoreTransaction, _ client: Int) -> StoreFailure? {
        if clients[client].failingCommits > 0 {
            clients[client].failingCommits -= 1
            clients[client].failedNow = true
            clients[client].isBehind = true
            if options.plantedBug == .ignoredDiskFull { return nil }
            return StoreFailure(.diskFull)
        }
        let transaction = altered(transaction, client)
        if isCommitLost(transaction, client) { return nil }
        do throws(StoreFailure) {
            try shelf.store(device: client, user: transaction.user).commit(transaction)
        } catch {
            return error
        }
        clients[client].committedNow = true
        kept(transaction, client)
        return nil
    }

    private func perform(_ effect: ChatEffect, _ client: Int) {
        let life = clients[client].life
        switch effect {
        case .acknowledge(let ticket, let result): acknowledged(ticket, result, client)
        case .network(let command): perform(command, client)
        case .publish(let screen): clients[client].watch.screen = screen
        case .notify(let notice): noticed(notice, client)
        case .askForToken(let attempt):
            let answers = clients[client].answersForToken
            clients[client].answersForToken = true
            let wait = Int64(draws.number(.latency, client, attempt.number) % 2500)
            after(
                milliseconds: 50 + wait,
                .tokenComes(client: client, life: life, attempt, answers: answers))
        case .loadPage(let query):
            guard let user = clients[client].core.authorisedClientID else { return }
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
            guard let user = clients[client].core.authorisedClientID else { return }
            let result: Result<[SearchHit], StoreFailure>
            do throws(StoreFailure) {
                result = .success(try shelf.store(device: client, user: user).search(query))
            } catch {
                result = .failure(error)
            }
            after(milliseconds: 0, .clientEvent(client: client, life: life, .found(query, result)))
        case .discardFile(let file):
            clients[client].watch.discardedFiles.insert(file.name)
            judgeDiscarded(file, client)
        // What is for the eyes of somebody alone.
        default: break
        }
    }

    // MARK: The timer

    private func arm(_ client: Int) {
        let wake = altered(wake: clients[client].core.nextWake, client)
        judgeBackground(wake, client)
        guard wake != clients[client].armed else { return }
        clients[client].armed = wake
        guard let wake else { return }
        let time = max(now, wake.addingReportingOverflow(clients[client].origin).partialValue)
        queue.add(.clientWake(client: client, life: clients[client].life, due: wake), at: time)
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
        if clients[client].idleWakes > 20 { complain(.quietTimer, "\(name(client)) wakes for nothing") }
    }

    // MARK: The process

    /// The process is gone. What it wrote on sockets before arrives or does not; nothing comes back.
    func die(_ client: Int) {
        let down = clients[client].doom?.down ?? 1000
        note("\(Self.name(client)) dies")
        figures.restarts += 1
        clients[client].doom = nil
        clients[client].isAlive = false
        clients[client].armed = nil
        let life = clients[client].life
        for link in links.indices where links[link].client == client && links[link].life == life {
            guard links[link].clientEnd == .open else { continue }
            links[link].clientEnd = .closed
            links[link].losesDown = true
            if draws.number(.latency, client, UInt64(link)) % 2 == 0 { links[link].losesUp = true }
            after(milliseconds: 40, .serverSeesEnd(link: link))
        }
        clients[client].watch.processEnded()
        shelf.processEnded(device: client)
        for index in clients[client].watch.partings.indices { clients[client].watch.partings[index].processEnded() }
        after(milliseconds: max(1, down), .clientStarts(client: client))
    }

    func start(_ client: Int) {
        guard !clients[client].isAlive else { return }
        clients[client].life += 1
        clients[client].isAlive = true
        clients[client].isForeground = true
        clients[client].isHeld = false
        clients[client].visibleScreen = nil
        clients[client].origin =
            now - Int64(draws.number(.latency, client, UInt64(clients[client].life)) % 1_000_000_000)
        clients[client].core = ChatCore(
            settings: Self.settings(clients[client].settings, options.plantedBug))
        note("\(Self.name(client)) starts")
        appStarts(client)
        guard let user = clients[client].user else { return }
        authorize(client, user: user)
        if draws.number(.latency, client, UInt64(1000 + clients[client].life)) % 10 < 6 { openScreen(client) }
    }

    func name(_ client: Int) -> String { Self.name(client) }

    static func name(_ client: Int) -> String { "device \(client)" }
}
