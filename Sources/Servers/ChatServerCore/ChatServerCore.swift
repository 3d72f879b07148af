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
    /// What clients are told; settings that are pushed live change it.
    package internal(set) var configuration: ConfigurationAnswer
    var network = NetworkConditions.perfect
    var clients: OrderedDictionary<String, ClientState> = [:]
    /// Looked up, never iterated.
    var clientIDsByAddress: [String: String] = [:]
    var connections: OrderedDictionary<ConnectionID, ConnectionState> = [:]
    var nextSequence: Int64 = 1
    /// Sorted by time; steps of the same time in the order in which they were planned.
    var botSteps: Deque<BotStep> = []
    var faults: [ServerFault] = []
    /// Sorted by time.
    var held: Deque<HeldFrame> = []
    var script = ScriptRun()
    /// Sorted by time.
    var pendingActions: Deque<ScriptRun.Pending> = []

    /// Starts with what an earlier run has kept.
    package init(settings: ChatServerSettings, restored: ServerSnapshot = ServerSnapshot()) {
        self.settings = settings
        access = settings.access
        configuration = settings.configuration
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
        var wake = [botSteps.first?.due, held.first?.due, pendingActions.first?.due].compactMap { $0 }.min()
        for connection in connections.values {
            if case .fresh(let deadline) = connection.phase { wake = min(wake ?? deadline, deadline) }
        }
        return wake
    }

    /// Takes one event and says what is to be done, in this order.
    package mutating func handle(_ event: ServerEvent, at now: ServerMoment, entropy: UInt64) -> [ServerEffect] {
        var turn = Turn(now: now, identifiers: IdentifierSource(entropy: entropy))
        switch event {
        case .upgradeAsked(let call): upgradeAsked(call, &turn)
        case .connected(let id, let token): connected(id, token: token, &turn)
        case .received(let id, let frame): received(frame, on: id, &turn)
        case .unreadable(let id, let error): unreadable(error, on: id, &turn)
        case .disconnected(let id):
            guard let connection = connections.removeValue(forKey: id) else {
                turn.note(.unknownConnection)
                break
            }
            forgetHeld(id)
            turn.happenings.append(Happening(kind: .disconnected, clientID: connection.clientID, connection: id))
        case .called(let call, let request, let caller):
            took(call, CallName(request), from: caller, &turn) { $0.answer(to: request, from: caller, &$1) }
        case .transferAsked(let call, let name, let caller):
            took(call, name, from: caller, &turn) { $0.answer(to: name, from: caller, &$1) }
        case .operatorActed(let action, let clientID):
            if let refusal = act(action, clientID: clientID, &turn).refusal {
                turn.note(refusal.code == .unknownClient ? .unknownClient : .refusedAction)
            }
        case .operatorCalled(let call, let request):
            turn.effects.append(.reportBack(call, answer(request, &turn)))
        case .accessChanged(let rule): access = rule
        case .faultsPlanned(let more):
            if !plan(more) { turn.note(.overloaded) }
        case .networkChanged(let conditions): network = conditions
        case .scriptLoaded(let script): load(script, &turn)
        case .woke: wake(&turn)
        }
        observeTurn(&turn)
        let delivered = deliver(turn.effects, &turn)
        return turn.finished(turn.released + delivered)
    }

    /// Why a token is not accepted; `nil` when it is.
    package func refusal(of token: String?) -> WireFailure? {
        access.refusal(of: token)
    }

    /// The same server after its store has failed, with what the store holds: what was planned and set stays.
    package func restarted(with restored: ServerSnapshot) -> ChatServerCore {
        var core = ChatServerCore(settings: settings, restored: restored)
        core.access = access
        core.configuration = configuration
        core.network = network
        core.faults = faults
        core.script = script
        core.pendingActions = pendingActions
        return core
    }

    // MARK: Calls

    private mutating func upgradeAsked(_ call: CallID, _ turn: inout Turn) {
        observe(Happening(kind: .upgrade), &turn)
        let decision = decideOnUpgrade()
        if decision != .accept { turn.note(.fault) }
        if network.latency > 0 { turn.effects.append(.stall(call, nanoseconds: network.latency)) }
        turn.effects.append(.admit(call, decision))
    }

    /// A call over HTTP: the script first, then planned delays, then its answer.
    private mutating func took(
        _ call: CallID, _ name: CallName, from caller: Caller, _ turn: inout Turn,
        _ answer: (inout ChatServerCore, inout Turn) -> ServerAnswer
    ) {
        let clientID = caller.deviceAddress.flatMap { clientIDsByAddress[$0] } ?? caller.clientID
        observe(Happening(kind: .call, names: [name.rawValue], clientID: clientID), &turn)
        let delay = takeDelay(of: name)
        if delay > 0 { turn.effects.append(.stall(call, nanoseconds: delay)) }
        turn.effects.append(.answer(call, answer(&self, &turn)))
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
        forget(id, &turn)
        turn.close(id, reason)
    }

    /// Ends a connection with the code that a script wants.
    mutating func hangUp(_ id: ConnectionID, code: UInt16, reason: String, _ turn: inout Turn) {
        forget(id, &turn)
        turn.effects.append(.hangUp(id, code: code, reason: reason))
    }

    private mutating func forget(_ id: ConnectionID, _ turn: inout Turn) {
        guard let connection = connections.removeValue(forKey: id) else { return }
        turn.happenings.append(Happening(kind: .disconnected, clientID: connection.clientID, connection: id))
    }

    private mutating func wake(_ turn: inout Turn) {
        let late = connections.filter { _, connection in
            if case .fresh(let deadline) = connection.phase { deadline <= turn.now.monotonic } else { false }
        }
        for id in late.keys { close(id, .registrationTimedOut, &turn) }
        turn.released = releaseHeld(turn.now)
        runScript(&turn)
        runBot(&turn)
    }

    /// The connections of a client that pushes go to.
    func readyConnections(of clientID: String) -> [ConnectionID] {
        connections.elements.compactMap { id, connection in
            connection.clientID == clientID && connection.phase == .ready ? id : nil
        }
    }
}
