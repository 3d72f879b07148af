import ChatCenterCore
import ChatServerCore
import ChatWire

// The network: sockets and their frames, with all faults.
extension World {
    func perform(_ command: NetworkCommand, _ client: Int) {
        switch command {
        case .openSocket(let generation, let request): open(generation, bugs.altered(request, clients[client]), client)
        case .transmit(let generation, let id, let frame): transmit(frame, id, generation, client)
        case .ping(let generation):
            guard let link = link(generation, client, "a ping") else { return }
            links[link].pings += 1
            at(arrival(client) + 1, .pinged(link: link))
        case .closeSocket(let generation, _): close(generation, client)
        case .call(let id, let call): begin(call, id, client)
        case .upload(let id, let plan): FileUploads(client, in: self).upload(id, plan)
        case .download(let id, _):
            let file = RemoteFile(reference: "/downloads/\(id.text)")
            let isThere = clients[client].conditions.hasRoute(at: now) && !clients[client].isMissing(id)
            let result: Result<RemoteFile, TransportFailure> =
                isThere ? .success(file) : .failure(TransportFailure(.refused, status: 404))
            after(
                milliseconds: 200,
                .clientEvent(client: client, life: clients[client].life, .network(.transferred(id, result))))
        // A cancelled download may still report its end.
        case .cancel(.transfer(let id)): clients[client].watch.cancelledTransfers.insert(id.text)
        // The answer to a cancelled call may still arrive.
        case .cancel(.call): break
        }
    }

    /// The next moment at which something of this device can arrive at the server or the other way round.
    func arrival(_ client: Int) -> Int64 {
        clients[client].conditions.frameArrival(at: now)
    }

    // MARK: Opening and closing

    private func open(_ generation: Generation, _ request: SocketRequest, _ client: Int) {
        record.tally { $0.sockets += 1 }
        networkRules(client).socketIsAskedFor(generation, &record)
        let number = links.add(generation, request, of: clients[client])
        clients[client].watch.links[generation.number] = number
        at(arrival(client), .dialled(link: number))
    }

    func dialled(_ number: Int) {
        let link = links[number]
        let client = link.client
        guard link.clientEnd == .open, isLife(client, link.life) else { return }
        let conditions = clients[client].conditions
        if now < conditions.silentUntil {
            at(conditions.silentUntil + 1, .dialled(link: number))
        } else if !conditions.hasRoute(at: now) {
            clientSeesEnd(number, .transport(TransportFailure(.noConnectivity)))
        } else if !server.isUp {
            clientSeesEnd(number, .transport(TransportFailure(.unreachable)))
        } else if let refusal = refusalOfKey(client) {
            clientSeesEnd(number, .transport(refusal))
        } else if let refusal = server.core.refusal(of: link.request.credentials.token), number % 2 == 0 {
            // Some servers check the token at the upgrade.
            clientSeesEnd(
                number,
                .transport(
                    TransportFailure(
                        .upgradeRefused, status: 401,
                        refusal: ServerRefusal(code: refusal.error, details: refusal.details))))
        } else {
            links[number].isUp = true
            links[number].serverEnd = .open
            handServer(.connected(link.connection, token: link.request.credentials.token))
            at(
                links.queueDown(number, at: arrival(client)),
                .clientEvent(client: client, life: link.life, .network(.socketOpened(link.generation))))
        }
    }

    /// Returns the failure of a TLS handshake if the device has no pin for the server's key.
    func refusalOfKey(_ client: Int) -> TransportFailure? {
        guard !clients[client].pins.contains(server.key) else { return nil }
        return TransportFailure(.trust, trust: TrustFailureSummary(code: "notPinned", reason: "key \(server.key)"))
    }

    /// Returns the link of a socket that is open for the core. Complains about any other socket.
    private func link(_ generation: Generation, _ client: Int, _ what: String) -> Int? {
        guard let link = clients[client].watch.links[generation.number], links[link].clientEnd == .open else {
            complain(
                .oneSocket, "\(clients[client].name) sends \(what) on socket \(generation.number), which is not open")
            return nil
        }
        return link
    }

    private func close(_ generation: Generation, _ client: Int) {
        guard let number = clients[client].watch.links[generation.number] else { return }
        clients[client].watch.openSockets.removeAll { $0 == generation.number }
        // Queued frames are sent before the close.
        if links.closeClientEnd(number) {
            at(links.queueUp(number, at: arrival(client)), .serverSeesEnd(link: number))
        }
    }

    func liveLink(of client: Int) -> Int? {
        guard clients[client].isAlive, let generation = clients[client].reading.liveGeneration else { return nil }
        return clients[client].watch.links[generation.number]
    }

    /// Breaks a connection. Each end notices it at its own time.
    func cut(_ number: Int, delivers: Bool) {
        links[number].losesDown = true
        if !delivers { links[number].losesUp = true }
        let client = links[number].client
        let draw = streams.number(.latency, client, UInt64(5000 + number))
        after(
            milliseconds: 10 + Int64(draw % 400),
            .clientSeesEnd(link: number, .transport(TransportFailure(.unreachable))))
        after(milliseconds: 10 + Int64((draw >> 16) % 20_000), .serverSeesEnd(link: number))
    }

    func clientSeesEnd(_ number: Int, _ cause: DisconnectCause) {
        let link = links[number]
        // Frames that arrived earlier are handled first.
        HostedDevice(link.client, in: self).settleIfNeeded()
        guard isLife(link.client, link.life) else { return }
        if links.closeClientEnd(number) {
            clients[link.client].watch.openSockets.removeAll { $0 == link.generation.number }
        }
        hand(.network(.socketClosed(link.generation, cause)), to: link.client)
    }

    func serverSeesEnd(_ number: Int) {
        if links.closeServerEnd(number) { handServer(.disconnected(links[number].connection)) }
    }

    // MARK: Frames

    private func transmit(_ frame: ClientFrame, _ id: FrameID, _ generation: Generation, _ client: Int) {
        guard let number = link(generation, client, "a frame") else { return }
        judge(frame, number, client)
        let frame = codec.pass(frame, &record)
        var last = links[number].lastUp
        let times = clients[client].conditions.arrivals(.up, at: now, after: &last)
        links[number].lastUp = last
        for time in times { at(time, .up(link: number, frame)) }
        // The core uses this event only for messages. Sending it for all frames would take more time.
        guard frame.isMessage else { return }
        let life = clients[client].life
        after(milliseconds: 1, .clientEvent(client: client, life: life, .network(.transmitted(generation, id))))
    }

    private func judge(_ frame: ClientFrame, _ number: Int, _ client: Int) {
        if case .registerDevice(let registration) = frame.body { links[number].user = registration.clientID }
        networkRules(client).judge(frame, on: links[number], &record)
        guard frame.isMessage, case .sendMessage(let content, _) = frame.body else { return }
        SendRules(clients[client]).judge(content, frame.correlationID, links, &record)
    }

    func arrivesUp(_ frame: ClientFrame, _ number: Int) {
        guard !links[number].losesUp, links[number].serverEnd == .open, server.isUp else { return }
        let client = links[number].client
        if case .updateStatuses = frame.body, clients[client].conditions.refusesMarks(at: now) {
            return refuseMarks(frame, number)
        }
        if frame.isHandshake, clients[client].conditions.takeHandshakeRefusal() { return refuse(frame, number) }
        let isCut = frame.isMessage && clients[client].conditions.takeCutBeforeReply()
        if isCut { links[number].losesDown = true }
        handServer(.received(links[number].connection, frame))
        if isCut { cut(number, delivers: true) }
    }

    /// The core tries the same marks three times on a socket, and three more times after each read message. A core that
    /// repeats them without a limit reaches hundreds.
    private func refuseMarks(_ frame: ClientFrame, _ number: Int) {
        links[number].refusedMarks += 1
        if links[number].refusedMarks > 3 * (server.shelf.contents.messages.count + 1) {
            complain(.rest, "\(clients[links[number].client].name) repeats refused read marks without a limit")
        }
        refuse(frame, number)
    }

    private func refuse(_ frame: ClientFrame, _ number: Int) {
        let refusal = ServerFrame.Body.failure(action: frame.action, ErrorAnswer("BUSY"))
        sendDown(ServerFrame(refusal, correlationID: frame.correlationID), links[number].connection)
    }

    /// Sends a frame of the server.
    func sendDown(_ frame: ServerFrame, _ connection: ConnectionID) {
        guard let number = links.number(of: connection) else { return }
        let frame = codec.pass(frame, &record)
        var last = links[number].lastDown
        let times = clients[links[number].client].conditions.arrivals(.down, at: now, after: &last)
        links[number].lastDown = last
        for time in times { at(time, .down(link: number, frame)) }
    }

    func arrivesDown(_ frame: ServerFrame, _ number: Int) {
        let link = links[number]
        guard !link.losesDown, isLife(link.client, link.life) else { return }
        if let correlation = frame.correlationID { SendRules(clients[link.client]).replied(correlation, at: now) }
        hand(.network(.received(link.generation, frame)), to: link.client)
    }

    func pinged(_ number: Int) {
        let link = links[number]
        guard link.serverEnd == .open, !link.losesDown, !link.losesUp else { return }
        let time = max(link.lastDown, arrival(link.client))
        at(time, .clientEvent(client: link.client, life: link.life, .network(.ponged(link.generation))))
    }

    /// Notes that a ping of a client was answered.
    func ponged(_ generation: Generation, _ client: Int) {
        guard generation == clients[client].reading.liveGeneration,
            let link = clients[client].watch.links[generation.number]
        else { return }
        links[link].pongs += 1
        QueueRules(clients[client]).ponged(on: link, pongs: links[link].pongs, at: now)
    }
}

extension ClientFrame {
    /// Whether the frame contains a message that the server stores.
    var isMessage: Bool { messageContent != nil }

    /// Whether the frame belongs to the handshake.
    var isHandshake: Bool {
        switch body {
        case .registerDevice: true
        case .sendMessage(let content, _): if case .clientInfo = content.body { true } else { false }
        default: false
        }
    }

    var messageContent: Content? {
        guard case .sendMessage(let content, _) = body else { return nil }
        switch content.body {
        case .message, .surveyQuestionAnswer, .surveyQualityFormAnswer: return content
        default: return nil
        }
    }
}
