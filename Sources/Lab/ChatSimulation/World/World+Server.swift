import ChatCenterCore
import ChatServerCore
import ChatWire

// The driver of the server: commits a turn as a whole before anything of it is told.
extension World {
    func handServer(_ event: ServerEvent) {
        guard server.isUp else { return }
        let event = altered(event)
        let entropy = draws.number(.serverEntropy, 0, server.turns)
        server.turns += 1
        figures.events += 1
        let moment = ServerMoment(monotonic: now, wall: SimulationClock.wall(now))
        var effects = server.core.handle(event, at: moment, entropy: entropy)
        alter(&effects)
        trace.add(now, event, effects)
        note("server \(TraceText.of(event))")
        var limit = effects.count
        if let doom = server.doom {
            if doom.effects <= effects.count { limit = doom.effects } else { server.doom?.effects -= effects.count }
        }
        let dies = server.doom != nil && (limit < effects.count || server.doom?.effects == limit)
        for effect in effects[..<limit] {
            note("    \(TraceText.of(effect))")
            guard perform(effect) else { return storeFailed() }
        }
        if dies { return serverDies() }
        arm()
    }

    /// False when a commit failed.
    private func perform(_ effect: ServerEffect) -> Bool {
        switch effect {
        case .commit(let writes):
            if server.failingCommits > 0 {
                server.failingCommits -= 1
                return false
            }
            server.shelf.commit(writes)
        case .send(let connection, let frame): sendDown(frame, connection)
        case .close(let connection, let reason): serverCloses(Int(connection.number), reason.code)
        case .answer(_, let given): answered(given)
        case .hangUp(let connection, let code, _): serverCloses(Int(connection.number), code)
        // Scripts and the operators' interface play no part here: the world has faults of its own.
        default: break
        }
        return true
    }

    private func serverCloses(_ number: Int, _ code: UInt16) {
        guard links.indices.contains(number), links[number].serverEnd == .open else { return }
        links[number].serverEnd = .closed
        guard links[number].clientEnd == .open else { return }
        let time = max(links[number].lastDown, arrival(links[number].client))
        links[number].lastDown = time
        queue.add(
            .clientSeesEnd(
                link: number, .closedByServer(code: code, reason: "", retryAfterMilliseconds: nil)), at: time)
    }

    /// The memory is ahead of the disk: all sockets end, and the disk decides what has happened.
    private func storeFailed() {
        note("    failed")
        for number in links.indices { serverCloses(number, 1011) }
        server.core = server.core.restarted(with: server.shelf.contents)
        arm()
    }

    func serverDies() {
        note("the server dies")
        figures.restarts += 1
        let down = server.doom?.down ?? 1000
        server.doom = nil
        server.isUp = false
        server.armed = nil
        for number in links.indices where links[number].serverEnd == .open {
            serverCloses(number, 1006)
            links[number].losesUp = true
        }
        after(milliseconds: max(1, down), .serverStarts)
    }

    func serverStarts() {
        guard !server.isUp else { return }
        note("the server starts")
        server.isUp = true
        server.life += 1
        restoreServer()
    }

    private func restoreServer() {
        var settings = setup.server
        settings.access = access
        server.core = ChatServerCore(settings: settings, restored: server.shelf.contents)
        arm()
    }

    private func arm() {
        let wake = server.core.nextWake
        guard wake != server.armed else { return }
        server.armed = wake
        if let wake { queue.add(.serverWake(life: server.life, due: wake), at: max(now, wake)) }
    }
}

extension ServerCloseReason {
    /// The code that the client sees.
    fileprivate var code: UInt16 {
        switch self {
        case .full: 1013
        case .registrationTimedOut: 1008
        default: 1000
        }
    }
}
