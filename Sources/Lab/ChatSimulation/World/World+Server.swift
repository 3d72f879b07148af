import ChatCenterCore
import ChatServerCore
import ChatWire

// The driver of the server: commits a turn as a whole before it carries out the other effects.
extension World {
    func handServer(_ event: ServerEvent) {
        guard server.isUp else { return }
        let event = bugs.altered(event, server)
        let entropy = streams.number(.serverEntropy, 0, server.turns)
        server.turns += 1
        record.tally { $0.events += 1 }
        let moment = ServerMoment(monotonic: now, wall: SimulationClock.wall(now))
        var effects = server.core.handle(event, at: moment, entropy: entropy)
        bugs.alter(&effects)
        record.add(event, effects)
        note("server \(TraceText.of(event))")
        let fate = server.fate(of: effects)
        for effect in effects[..<fate.reached] {
            note("    \(TraceText.of(effect))")
            guard perform(effect) else { return storeFailed() }
        }
        if fate.dies { return serverDies() }
        arm()
    }

    /// Returns `false` if a commit failed.
    private func perform(_ effect: ServerEffect) -> Bool {
        switch effect {
        case .commit(let writes):
            if server.failingCommits > 0 {
                server.failingCommits -= 1
                return false
            }
            server.shelf.commit(writes)
        case .send(let connection, let frame): sendDown(frame, connection)
        case .close(let connection, let reason): serverCloses(connection, reason.code)
        case .answer(_, let given): answered(given)
        case .hangUp(let connection, let code, _): serverCloses(connection, code)
        // Scripts and the operators' interface are not used, because the world has its own faults.
        default: break
        }
        return true
    }

    private func serverCloses(_ connection: ConnectionID, _ code: UInt16) {
        if let number = links.number(of: connection) { serverCloses(number, code) }
    }

    private func serverCloses(_ number: Int, _ code: UInt16) {
        guard links.closeServerEnd(number), links[number].clientEnd == .open else { return }
        at(
            links.queueDown(number, at: arrival(links[number].client)),
            .clientSeesEnd(link: number, .closedByServer(code: code, reason: "", retryAfterMilliseconds: nil)))
    }

    /// Restarts the server from its disk after a failed commit, and closes all sockets.
    private func storeFailed() {
        note("    failed")
        for number in links.indices { serverCloses(number, 1011) }
        server.core = server.core.restarted(with: server.shelf.contents)
        arm()
    }

    func serverDies() {
        note("the server dies")
        record.tally { $0.restarts += 1 }
        let down = server.plannedCrash?.down ?? 1000
        server.plannedCrash = nil
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
        settings.access = tokens.access
        server.core = ChatServerCore(settings: settings, restored: server.shelf.contents)
        arm()
    }

    /// Makes the server accept the newest token of each user.
    func applyAccess() {
        handServer(.accessChanged(tokens.access))
    }

    private func arm() {
        let wake = server.core.nextWake
        guard wake != server.armed else { return }
        server.armed = wake
        if let wake { at(max(now, wake), .serverWake(life: server.life, due: wake)) }
    }
}

extension ServerCloseReason {
    /// The close code that the client receives.
    fileprivate var code: UInt16 {
        switch self {
        case .full: 1013
        case .registrationTimedOut: 1008
        default: 1000
        }
    }
}
