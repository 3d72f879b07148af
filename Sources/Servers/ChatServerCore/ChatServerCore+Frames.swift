import ChatWire
import OrderedCollections

extension ChatServerCore {
    /// A frame of a client: planned faults first, then who may send it, then what it says.
    mutating func received(_ frame: ClientFrame, on id: ConnectionID, _ turn: inout Turn) {
        guard let connection = connections[id] else { return turn.note(.unknownConnection) }
        observe(Happening(frame, on: id, of: connection.clientID), &turn)
        guard connections[id] != nil else { return }
        if turn.identifiers.draws(percent: network.lossPercent) { return turn.note(.lost) }
        let fault = takeFault(for: frame)
        if fault != nil { turn.note(.fault) }
        switch fault {
        case .lose: return
        case .cut: return close(id, .fault, &turn)
        case .fail(_, let failure): return fail(frame, on: id, failure, &turn)
        default: break
        }
        if let refusal = access.refusal(of: connection.token) {
            fail(frame, on: id, refusal, &turn)
        } else {
            dispatch(frame, on: id, &turn)
        }
        if let fault { spoilReply(to: frame, on: id, by: fault, &turn) }
    }

    private mutating func dispatch(_ frame: ClientFrame, on id: ConnectionID, _ turn: inout Turn) {
        switch frame.body {
        case .ping:
            reply(to: frame, on: id, .done(action: frame.action), &turn)
        case .registerDevice(let registration):
            register(registration, frame, on: id, &turn)
        case .sendMessage(let content, let address):
            guard let clientID = registeredClient(of: id, address: address, frame, &turn) else { return }
            take(content, frame, on: id, of: clientID, &turn)
        case .updateStatuses(let changes, let address):
            guard let clientID = registeredClient(of: id, address: address, frame, &turn) else { return }
            update(changes, frame, on: id, of: clientID, &turn)
        case .unknown:
            fail(frame, on: id, WireFailure("action.unknown"), &turn)
        }
    }

    /// The client of a connection that has registered; otherwise the frame is answered with the reason.
    private func registeredClient(
        of id: ConnectionID, address: String?, _ frame: ClientFrame, _ turn: inout Turn
    ) -> String? {
        guard let connection = connections[id], let clientID = connection.clientID else {
            fail(frame, on: id, WireFailure("device.not-registered"), &turn)
            return nil
        }
        guard address == nil || address == connection.deviceAddress else {
            fail(frame, on: id, WireFailure("device.mismatch"), &turn)
            return nil
        }
        return clientID
    }

    func reply(to frame: ClientFrame, on id: ConnectionID, _ body: ServerFrame.Body, _ turn: inout Turn) {
        turn.send(id, ServerFrame(body, correlationID: frame.correlationID))
    }

    func fail(_ frame: ClientFrame, on id: ConnectionID, _ failure: WireFailure, _ turn: inout Turn) {
        reply(to: frame, on: id, .failure(action: frame.action, failure), &turn)
    }

    // MARK: Registration

    private mutating func register(
        _ registration: DeviceRegistration, _ frame: ClientFrame, on id: ConnectionID, _ turn: inout Turn
    ) {
        let clientID = registration.clientID
        guard !clientID.isEmpty, isAcceptable(clientID) else {
            return fail(frame, on: id, WireFailure("client.invalid"), &turn)
        }
        if clients[clientID] == nil {
            guard clients.count < settings.limits.clients else {
                fail(frame, on: id, WireFailure("server.full"), &turn)
                return close(id, .full, &turn)
            }
            let record = ClientRecord(clientID: clientID)
            clients[clientID] = ClientState(record)
            turn.write(.client(record))
        }
        let address = adoptDevice(registration, of: clientID, &turn)
        // One device, one socket: the newer one is the one that the client knows of.
        for (other, connection) in connections.elements where other != id && connection.deviceAddress == address {
            close(other, .replaced, &turn)
        }
        connections[id]?.phase = .registered
        connections[id]?.clientID = clientID
        connections[id]?.deviceAddress = address
        connections[id]?.apiVersion = registration.apiVersion ?? VersionGate.baseline
        reply(to: frame, on: id, .registered(deviceAddress: address), &turn)
        turn.happenings.append(Happening(kind: .registered, clientID: clientID, connection: id))
    }

    /// The device of a registration: the saved one if it is this client's, otherwise a new one. An address of somebody
    /// else is never handed over.
    private mutating func adoptDevice(
        _ registration: DeviceRegistration, of clientID: String, _ turn: inout Turn
    ) -> String {
        if let saved = registration.deviceAddress, clientIDsByAddress[saved] == clientID {
            turn.write(.device(DeviceRecord(address: saved, clientID: clientID, pushToken: registration.pushToken)))
            return saved
        }
        let address = turn.identifiers.hexadecimal()
        clientIDsByAddress[address] = clientID
        clients[clientID]?.addresses.append(address)
        turn.write(.device(DeviceRecord(address: address, clientID: clientID, pushToken: registration.pushToken)))
        while let addresses = clients[clientID]?.addresses, addresses.count > settings.limits.devicesPerClient {
            forgetDevice(addresses[0], of: clientID, &turn)
        }
        return address
    }

    /// Forgets a device; its sockets, if there are any, have to register anew.
    mutating func forgetDevice(_ address: String, of clientID: String, _ turn: inout Turn) {
        clientIDsByAddress[address] = nil
        clients[clientID]?.addresses.removeAll { $0 == address }
        turn.write(.deviceRemoved(address: address))
    }

    func isAcceptable(_ identifier: String) -> Bool {
        identifier.utf8.count <= settings.limits.identifierLength
    }

    // MARK: Statuses

    private mutating func update(
        _ changes: [StatusChange], _ frame: ClientFrame, on id: ConnectionID, of clientID: String, _ turn: inout Turn
    ) {
        guard changes.count <= settings.limits.statusChanges else {
            return fail(frame, on: id, WireFailure("statuses.too-many"), &turn)
        }
        for change in changes {
            // The client speaks for what operators wrote; a status never goes back.
            let changed = clients[clientID]?.log.update(change.messageID) { message in
                if !message.isFromClient { message.status = max(message.status, change.status) }
            }
            if let changed { turn.write(.messageChanged(changed)) }
        }
        reply(to: frame, on: id, .done(action: frame.action), &turn)
    }
}

extension Happening {
    /// A frame came.
    fileprivate init(_ frame: ClientFrame, on id: ConnectionID, of clientID: String?) {
        var text: String?
        if case .sendMessage(let content, _) = frame.body { text = content.text }
        self.init(
            kind: .frame, names: [frame.action] + (frame.contentType.map { [$0] } ?? []), text: text,
            clientID: clientID, connection: id)
        if case .registerDevice(let registration) = frame.body { self.clientID = registration.clientID }
    }
}
