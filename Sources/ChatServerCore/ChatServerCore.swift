package import ChatWire
import DequeModule
import OrderedCollections

/// The other end of the chat as a value: registration, messages, history, an operator. Events go in, effects come out;
/// time and randomness are parameters; nothing in here waits, reads a clock or iterates over a dictionary, so that the
/// same events give the same effects.
///
/// `handle` is total: whatever a peer sends is answered, noted or ignored, and never a trap.
package struct ChatServerCore: Hashable, Sendable {
    package let settings: ChatServerSettings
    var access: AccessRule
    var clients: OrderedDictionary<String, ClientState> = [:]
    /// Looked up, never iterated.
    var clientIDsByAddress: [String: String] = [:]
    var connections: OrderedDictionary<ConnectionID, ConnectionState> = [:]
    var nextSequence: Int64 = 1
    /// Sorted by time; steps of the same time in the order in which they were planned.
    var botSteps: Deque<BotStep> = []
    var faults: [ServerFault] = []

    /// Starts with what an earlier run has kept.
    package init(settings: ChatServerSettings, restored: ServerSnapshot = ServerSnapshot()) {
        self.settings = settings
        access = settings.access
        for record in restored.clients {
            clients[record.clientID] = ClientState(record)
        }
        for device in restored.devices where clients[device.clientID] != nil {
            clients[device.clientID]?.addresses.append(device.address)
            clientIDsByAddress[device.address] = device.clientID
        }
        for message in restored.messages {
            clients[message.clientID]?.log.append(message)
            nextSequence = max(nextSequence, message.sequence + 1)
        }
    }

    /// When ``ServerEvent/woke`` is wanted, on the monotonic clock; `nil` when nothing is pending.
    package var nextWake: Int64? {
        var wake = botSteps.first?.due
        for connection in connections.values {
            if case .fresh(let deadline) = connection.phase { wake = min(wake ?? deadline, deadline) }
        }
        return wake
    }

    /// Takes one event and says what is to be done, in this order.
    package mutating func handle(_ event: ServerEvent, at now: ServerMoment, entropy: UInt64) -> [ServerEffect] {
        var turn = Turn(now: now, identifiers: IdentifierSource(entropy: entropy))
        switch event {
        case .connected(let id, let token): connected(id, token: token, &turn)
        case .received(let id, let frame): received(frame, on: id, &turn)
        case .unreadable(let id, let error): unreadable(error, on: id, &turn)
        case .disconnected(let id):
            if connections.removeValue(forKey: id) == nil { turn.note(.unknownConnection) }
        case .called(let call, let request, let caller):
            turn.effects.append(.answer(call, answer(to: request, from: caller, &turn)))
        case .operatorActed(let action, let clientID): act(action, clientID: clientID, &turn)
        case .accessChanged(let rule): access = rule
        case .faultsPlanned(let more): faults += more
        case .woke: wake(&turn)
        }
        return turn.finished()
    }

    /// Why a token is not accepted; `nil` when it is.
    package func refusal(of token: String?) -> WireFailure? {
        access.refusal(of: token)
    }

    // MARK: Connections

    private mutating func connected(_ id: ConnectionID, token: String?, _ turn: inout Turn) {
        guard connections[id] == nil else { return turn.note(.repeatedConnection) }
        guard connections.count < settings.limits.connections else { return turn.close(id, .full) }
        let deadline = turn.now.monotonic + settings.limits.registrationTime
        connections[id] = ConnectionState(phase: .fresh(deadline: deadline), token: token)
    }

    private mutating func unreadable(_ error: WireError, on id: ConnectionID, _ turn: inout Turn) {
        guard connections[id] != nil else { return turn.note(.unknownConnection) }
        turn.note(.unreadableFrame)
        // Without a readable action and correlation id there is nothing to reply to; a push says what went wrong.
        turn.send(
            id, ServerFrame(.failure(action: "error", WireFailure("frame.malformed", details: error.description))))
    }

    /// Ends a connection from this side.
    mutating func close(_ id: ConnectionID, _ reason: CloseReason, _ turn: inout Turn) {
        connections.removeValue(forKey: id)
        turn.close(id, reason)
    }

    private mutating func wake(_ turn: inout Turn) {
        let late = connections.filter { _, connection in
            if case .fresh(let deadline) = connection.phase { deadline <= turn.now.monotonic } else { false }
        }
        for id in late.keys { close(id, .registrationTimedOut, &turn) }
        runBot(&turn)
    }

    /// The connections of a client that pushes go to.
    func readyConnections(of clientID: String) -> [ConnectionID] {
        connections.elements.compactMap { id, connection in
            connection.clientID == clientID && connection.phase == .ready ? id : nil
        }
    }
}
