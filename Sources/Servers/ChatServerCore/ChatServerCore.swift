package import ChatWire

/// The chat server's logic as a value: registration, messages, history, operators. `handle` takes events and returns
/// effects. Time and randomness are parameters. The core does not wait, read clocks or iterate over dictionaries, so
/// that the same events produce the same effects.
///
/// `handle` is total: whatever a peer sends is answered, noted or ignored, and never traps.
///
/// The core coordinates values with their own state: ``ServerNetwork``, ``DeviceRegistry``, ``Conversations``,
/// ``BotSchedule``, ``ScriptRun`` and ``LiveConfiguration``.
package struct ChatServerCore: Hashable, Sendable {
    package let settings: ChatServerSettings
    private var access: AccessRule
    private var live: LiveConfiguration
    private var network: ServerNetwork
    private var devices: DeviceRegistry
    private var conversations: Conversations
    private var bot: BotSchedule
    private var script: ScriptRun
    private var desk: Desk

    /// Creates a core with the stored state of an earlier run.
    package init(settings: ChatServerSettings, restored: ServerSnapshot = ServerSnapshot()) {
        let limits = settings.limits
        self.settings = settings
        access = settings.access
        live = LiveConfiguration(settings.configuration)
        network = ServerNetwork(limits: limits)
        devices = DeviceRegistry(limit: limits.devicesPerClient)
        conversations = Conversations(bot: settings.bot, limits: limits, restored: restored)
        bot = BotSchedule(bot: settings.bot, limit: limits.botSteps)
        script = ScriptRun(limit: limits.pendingSteps)
        desk = Desk(limits: limits.desk, restored: restored.desk)
        for device in restored.devices where conversations[device.clientID] != nil { devices.restore(device) }
    }

    /// Returns the server after a failure of its store, with the stored state. Plans and settings are kept.
    package func restarted(with restored: ServerSnapshot) -> ChatServerCore {
        var core = ChatServerCore(settings: settings, restored: restored)
        core.access = access
        core.live = live
        core.network = network.restarted()
        core.script = script
        return core
    }

    /// The configuration that clients receive, including live changes.
    package var configuration: ConfigurationAnswer { live.current }

    /// When ``ServerEvent/woke`` is due, on the monotonic clock; `nil` when nothing is pending.
    package var nextWake: Int64? {
        [bot.nextDue, network.nextWake, script.nextDue, desk.presence.nextDue].compactMap { $0 }.min()
    }

    /// Returns why a token is refused; `nil` if it is accepted.
    package func refusal(of token: String?) -> ErrorAnswer? {
        access.refusal(of: token)
    }

    /// Handles one event and returns the effects to execute, in order.
    package mutating func handle(_ event: ServerEvent, at now: ServerMoment, entropy: UInt64) -> [ServerEffect] {
        var turn = ServerTurn(now: now, identifiers: IdentifierSource(entropy: entropy))
        switch event {
        case .upgradeAsked(let call):
            observe(ScriptEvent(kind: .upgrade), &turn)
            network.answerUpgrade(call, &turn)
        case .connected(let id, let token): network.open(id, token: token, &turn)
        case .received(let id, let frame): received(frame, on: id, &turn)
        case .unreadable(let id, let error): unreadable(error, on: id, &turn)
        case .disconnected(let id): network.ended(id, &turn)
        case .called(let call, let request, let caller): took(call, CallName(request), request, from: caller, &turn)
        case .transferAsked(let call, let name, let caller): took(call, name, nil, from: caller, &turn)
        case .operatorActed(let action, let clientID): note(act(action, clientID: clientID, &turn), &turn)
        case .operatorCalled(let call, let request): turn.add(.reportBack(call, answer(request, &turn)))
        case .deskCalled(let call, let request): turn.add(.answerDesk(call, answer(request, &turn)))
        case .accessChanged(let rule): access = rule
        case .faultsPlanned(let more): if !network.plan(more) { turn.note(.overloaded) }
        case .networkChanged(let conditions): network.conditions = conditions
        case .scriptLoaded(let script): load(script, &turn)
        case .woke: wake(&turn)
        }
        // The script sees the events of this turn after the turn.
        for happening in turn.takeHappenings() { observe(happening, &turn) }
        tellDesks(desk.observe(&turn, conversations), &turn)
        return network.finish(&turn)
    }

    private mutating func wake(_ turn: inout ServerTurn) {
        network.wake(&turn)
        while let due = script.takeDue(at: turn.now.monotonic) { carryOut(due, &turn) }
        tellDesks(desk.expire(at: turn.now.monotonic), &turn)
        while let step = bot.takeDue(at: turn.now.monotonic) {
            guard desk.leavesToBot(step.clientID) else { continue }
            converse(with: step.clientID, &turn) { $0.perform(step, &$1) }
        }
    }

    /// Applies an event to a client's conversation, and executes the resulting actions.
    private mutating func converse<Result>(
        with clientID: String, _ turn: inout ServerTurn, _ body: (inout Conversations, inout ConversationTurn) -> Result
    ) -> Result {
        let isListening = !network.sockets.ready(of: clientID).isEmpty
        var part = ConversationTurn(now: turn.now, isListening: isListening, identifiers: turn.identifiers)
        let result = body(&conversations, &part)
        turn.identifiers = part.identifiers
        for action in part.actions {
            switch action {
            case .write(let write):
                turn.write(write)
            case .push(let message, let isRaw):
                for id in network.sockets.ready(of: clientID) { network.push([message], to: id, isRaw: isRaw, &turn) }
            case .tell(let changes):
                for id in network.sockets.ready(of: clientID) {
                    turn.send(id, ServerFrame(.statuses(changes), createdAt: turn.now.wall))
                }
            case .happened(let happening):
                turn.happened(happening)
            }
        }
        return result
    }

    // MARK: Frames

    private mutating func unreadable(_ error: WireError, on id: ConnectionID, _ turn: inout ServerTurn) {
        guard network[id] != nil else { return turn.note(.unknownConnection) }
        turn.note(.unreadableFrame)
        // Without a readable action and correlation id no reply is possible; a push reports the error.
        turn.send(
            id, ServerFrame(.failure(action: "error", ErrorAnswer("frame.malformed", details: error.description))))
    }

    /// Handles a client's frame: planned faults first, then authorization, then the content.
    private mutating func received(_ frame: ClientFrame, on id: ConnectionID, _ turn: inout ServerTurn) {
        guard let connection = network[id] else { return turn.note(.unknownConnection) }
        observe(ScriptEvent(frame, on: id, of: connection.clientID), &turn)
        guard network[id] != nil else { return }
        switch network.receive(frame, on: id, &turn) {
        case .lost: return
        case .fails(let failure): turn.fail(frame, on: id, failure)
        case .arrives(let fault):
            if let refusal = access.refusal(of: connection.token) {
                turn.fail(frame, on: id, refusal)
            } else {
                dispatch(frame, on: id, &turn)
            }
            if let fault { network.spoilReply(to: frame, on: id, by: fault, &turn) }
        }
    }

    private mutating func dispatch(_ frame: ClientFrame, on id: ConnectionID, _ turn: inout ServerTurn) {
        switch frame.body {
        case .ping:
            turn.reply(to: frame, on: id, .done(action: frame.action))
        case .registerDevice(let registration):
            register(registration, frame, on: id, &turn)
        case .sendMessage(let content, let address):
            guard let clientID = registeredClient(of: id, address: address, frame, &turn) else { return }
            take(content, frame, on: id, of: clientID, &turn)
        case .updateStatuses(let changes, let address):
            guard let clientID = registeredClient(of: id, address: address, frame, &turn) else { return }
            guard changes.count <= settings.limits.statusChanges else {
                return turn.fail(frame, on: id, ErrorAnswer("statuses.too-many"))
            }
            converse(with: clientID, &turn) { $0.confirm(changes, by: clientID, &$1) }
            turn.reply(to: frame, on: id, .done(action: frame.action))
        case .unknown:
            turn.fail(frame, on: id, ErrorAnswer("action.unknown"))
        }
    }

    /// Returns the client that has registered on a connection; otherwise replies with the reason.
    private func registeredClient(
        of id: ConnectionID, address: String?, _ frame: ClientFrame, _ turn: inout ServerTurn
    ) -> String? {
        guard let connection = network[id], let clientID = connection.clientID else {
            turn.fail(frame, on: id, ErrorAnswer("device.not-registered"))
            return nil
        }
        guard address == nil || address == connection.deviceAddress else {
            turn.fail(frame, on: id, ErrorAnswer("device.mismatch"))
            return nil
        }
        return clientID
    }

    private mutating func register(
        _ registration: DeviceRegistration, _ frame: ClientFrame, on id: ConnectionID, _ turn: inout ServerTurn
    ) {
        let clientID = registration.clientID
        guard !clientID.isEmpty, settings.limits.accepts(identifier: clientID) else {
            return turn.fail(frame, on: id, ErrorAnswer("client.invalid"))
        }
        guard conversations.admit(clientID, &turn) else {
            turn.fail(frame, on: id, ErrorAnswer("server.full"))
            return network.close(id, .full, &turn)
        }
        let address = devices.adopt(registration, &turn)
        network.register(
            id, clientID: clientID, deviceAddress: address,
            apiVersion: registration.apiVersion ?? VersionGate.baseline, &turn)
        turn.reply(to: frame, on: id, .registered(deviceAddress: address))
        turn.happened(ScriptEvent(kind: .registered, clientID: clientID, connection: id))
    }

    // MARK: Content

    /// Handles the content of a `sendMessage`.
    private mutating func take(
        _ content: Content, _ frame: ClientFrame, on id: ConnectionID, of clientID: String, _ turn: inout ServerTurn
    ) {
        guard VersionGate.mayBeSent(content.body, in: network[id]?.apiVersion ?? VersionGate.baseline) else {
            return turn.fail(frame, on: id, ErrorAnswer("content.api-version", details: content.wireType))
        }
        switch content.body {
        case .clientInfo(let info):
            introduce(info, frame, on: id, of: clientID, &turn)
        case .message:
            keep(content, inHistory: true, frame, on: id, of: clientID, &turn)
        case .surveyQuestionAnswer, .surveyQualityFormAnswer:
            keep(content, inHistory: false, frame, on: id, of: clientID, &turn)
        case .typing(let draft, _):
            conversations.type(draft, by: clientID)
            tellDesks([.types(clientID: clientID, draft: conversations[clientID]?.draft)], &turn)
            acknowledge(frame, on: id, &turn)
            turn.happened(ScriptEvent(kind: .typing, text: draft, clientID: clientID, connection: id))
        case .initChat:
            acknowledge(frame, on: id, &turn)
        case .clientOffline:
            if let address = network[id]?.deviceAddress { devices.forget(address, &turn) }
            acknowledge(frame, on: id, &turn)
            network.close(id, .clientOffline, &turn)
        case .closeThread:
            acknowledge(frame, on: id, &turn)
            converse(with: clientID, &turn) { $0.endThread(of: clientID, &$1) }
        case .reopenThread:
            acknowledge(frame, on: id, &turn)
            converse(with: clientID, &turn) { $0.openThread(of: clientID, &$1) }
        default:
            turn.fail(frame, on: id, ErrorAnswer("content.unknown", details: content.wireType))
        }
    }

    /// Acknowledges content that is not stored as a message.
    private func acknowledge(_ frame: ClientFrame, on id: ConnectionID, _ turn: inout ServerTurn) {
        let receipt = SendReceipt(messageID: turn.identifiers.uuid(), sentAt: turn.now.wall, status: .sent)
        turn.reply(to: frame, on: id, .receipt(receipt))
    }

    /// Handles the client information, which completes the handshake: the schedule and missed messages follow.
    private mutating func introduce(
        _ info: ClientInfo, _ frame: ClientFrame, on id: ConnectionID, of clientID: String, _ turn: inout ServerTurn
    ) {
        if let refusal = settings.limits.refusal(of: info) { return turn.fail(frame, on: id, refusal) }
        converse(with: clientID, &turn) { $0.introduce(info, by: clientID, &$1) }
        acknowledge(frame, on: id, &turn)
        network.completeHandshake(of: id)
        guard info.preRegister != true else { return }

        var messages: [DeliveredMessage] = []
        if let schedule = live.schedule(at: turn.now) {
            messages.append(DeliveredMessage(messageID: nil, sentAt: nil, content: Content(.schedule(schedule))))
        }
        messages += converse(with: clientID, &turn) { $0.takeMissed(by: clientID, &$1) }
        if !messages.isEmpty { network.push(messages, to: id, &turn) }
        turn.happened(ScriptEvent(kind: .ready, clientID: clientID, connection: id))
        // After a restart nothing is planned: the newest message is answered once its author reconnects.
        if let last = conversations[clientID]?.newest, last.isFromClient, !bot.isAnswering(last) {
            planAnswer(to: last, &turn)
        }
    }

    private mutating func keep(
        _ content: Content, inHistory: Bool, _ frame: ClientFrame, on id: ConnectionID, of clientID: String,
        _ turn: inout ServerTurn
    ) {
        let isSendingAllowed = live.isSendingAllowed
        let outcome = converse(with: clientID, &turn) {
            $0.take(content, from: clientID, inHistory: inHistory, isSendingAllowed: isSendingAllowed, &$1)
        }
        switch outcome {
        case .refused(let failure):
            turn.fail(frame, on: id, failure)
        case .repeated(let message):
            turn.reply(to: frame, on: id, .receipt(message.receipt))
        case .kept(let message):
            turn.reply(to: frame, on: id, .receipt(message.receipt))
            let kind: ScriptTrigger.Kind = inHistory ? .message : .surveyAnswer
            turn.happened(ScriptEvent(kind: kind, text: content.text, clientID: clientID, connection: id))
            guard inHistory else { return }
            for other in network.sockets.ready(of: clientID) where other != id {
                network.push([message.delivered(as: .mirror)], to: other, &turn)
            }
            planAnswer(to: message, &turn)
        }
    }

    private mutating func planAnswer(to message: ServerMessage, _ turn: inout ServerTurn) {
        guard desk.leavesToBot(message.clientID) else { return }
        if !bot.planAnswer(to: message, at: turn.now.monotonic) { turn.note(.botOverloaded) }
    }

    // MARK: Calls

    /// Handles an HTTP call: the script first, then planned delays, then the answer. A transfer has no request.
    private mutating func took(
        _ call: ServerCallID, _ name: CallName, _ request: RESTRequest?, from caller: Caller, _ turn: inout ServerTurn
    ) {
        observe(ScriptEvent(kind: .call, names: [name.rawValue], clientID: owner(of: caller)), &turn)
        network.stall(call, name, &turn)
        turn.add(.answer(call, answer(name, request, from: caller, &turn)))
    }

    /// Returns the client that makes a call. The device address takes precedence; the client id counts if the address
    /// is missing or unknown.
    private func owner(of caller: Caller) -> String? {
        caller.deviceAddress.flatMap { devices.owner(of: $0) } ?? caller.clientID
    }

    private mutating func answer(
        _ name: CallName, _ request: RESTRequest?, from caller: Caller, _ turn: inout ServerTurn
    ) -> ServerAnswer {
        if let failure = network.takeFailure(of: name, &turn) { return failure }
        if let refusal = access.refusal(of: caller.token) { return .failure(status: 401, refusal) }
        guard let request else { return .permitted }
        if case .configuration = request { return .configuration(live.answer(at: turn.now)) }
        guard caller.clientID != nil || caller.deviceAddress != nil else {
            return .failure(status: 400, ErrorAnswer("client.missing"))
        }
        let clientID = owner(of: caller)
        switch request {
        case .configuration:
            return .configuration(live.answer(at: turn.now))
        case .history(let request):
            return .history(conversations.history(request, of: clientID, isSendingAllowed: live.isSendingAllowed))
        case .unread:
            return .unread(conversations.unreadCount(of: clientID))
        case .search(let query, let page, let size):
            guard let answer = conversations.search(query, page: page, size: size, of: clientID) else {
                return .failure(status: 400, ErrorAnswer("search.query-too-long"))
            }
            return .search(answer)
        case .deleteDevice:
            deleteDevice(of: caller, &turn)
            return .deviceDeleted
        }
    }

    /// Removes the caller's device, like CLIENT_OFFLINE on its socket. Ignores an unknown device.
    private mutating func deleteDevice(of caller: Caller, _ turn: inout ServerTurn) {
        guard let address = caller.deviceAddress, devices.owner(of: address) != nil else { return }
        devices.forget(address, &turn)
        for id in network.sockets.ids(ofDevice: address) { network.close(id, .clientOffline, &turn) }
    }

    // MARK: The script

    /// Starts a script. The pending steps of the previous one are discarded.
    private mutating func load(_ script: ServerScript, _ turn: inout ServerTurn) {
        self.script.load(script)
        observe(ScriptEvent(kind: .start), &turn)
    }

    /// Passes an event to the script, and executes the steps that are due at once.
    private mutating func observe(_ happening: ScriptEvent, _ turn: inout ServerTurn) {
        for start in script.observe(happening, at: turn.now.monotonic) {
            switch start {
            case .perform(let performance): carryOut(performance, &turn)
            case .overloaded: turn.note(.overloaded)
            }
        }
    }

    /// Executes a step's actions. Events that result from them trigger no step, so that a script cannot run in a loop.
    private mutating func carryOut(_ performance: ScriptRun.Performance, _ turn: inout ServerTurn) {
        turn.unobserved { turn in
            for action in performance.actions { note(perform(action, for: performance.origin, &turn), &turn) }
        }
    }

    /// Notes a refused action for which no caller waits.
    private func note(_ answer: OperatorAnswer, _ turn: inout ServerTurn) {
        guard let refusal = answer.refusal else { return }
        turn.note(refusal.code == .unknownClient ? .unknownClient : .refusedAction)
    }

    /// Executes one action. `origin` determines the client of ``ScriptTarget/trigger``.
    private mutating func perform(
        _ action: ScriptAction, for origin: ScriptEvent, _ turn: inout ServerTurn
    ) -> OperatorAnswer {
        switch action {
        case .act(let action, let target):
            return act(action, clientID: target.client(origin), &turn)
        case .plan(let fault, let times):
            guard (1...settings.limits.faults).contains(times),
                network.plan(Array(repeating: fault, count: times))
            else { return .refused(.init(.tooMany, "At most \(settings.limits.faults) faults can be planned.")) }
        case .network(let conditions):
            network.conditions = conditions
        case .access(let rule):
            access = rule
        case .settings(let change):
            let message = DeliveredMessage(messageID: nil, sentAt: nil, content: live.apply(change, at: turn.now))
            for id in network.sockets.ready() { network.push([message], to: id, &turn) }
        case .identity(let name):
            guard settings.identities.contains(name) else {
                return .refused(.init(.unknownIdentity, "The server has no identity with this name."))
            }
            turn.add(.present(identity: name))
        case .close(let code, let reason, let target):
            for id in target.sockets(origin, network.sockets) {
                network.hangUp(id, code: code, reason: reason, &turn)
            }
        case .cut(let target):
            for id in target.sockets(origin, network.sockets) { network.close(id, .fault, &turn) }
        }
        return .done(messageID: nil)
    }

    // MARK: Operators

    /// Executes an operator's action in one conversation or in all of them; with all, wherever it is possible.
    private mutating func act(_ action: OperatorAction, clientID: String?, _ turn: inout ServerTurn) -> OperatorAnswer {
        if let clientID { return converse(with: clientID, &turn) { $0.act(action, in: clientID, &$1) } }
        for clientID in conversations.clientIDs {
            _ = converse(with: clientID, &turn) { $0.act(action, in: clientID, &$1) }
        }
        return .done(messageID: nil)
    }

    /// Returns the answer to a request of the operators' interface.
    private mutating func answer(_ request: OperatorRequest, _ turn: inout ServerTurn) -> OperatorAnswer {
        switch request {
        case .overview:
            return .overview(
                ServerOverview(
                    clients: conversations.count, connections: network.sockets.count, faults: network.plannedFaults,
                    steps: script.remainingSteps, network: network.conditions, identities: settings.identities,
                    configuration: configuration))
        case .clients(let offset, let count):
            let page = conversations.clientIDs(from: offset, count: count)
            return .clients(page.compactMap { summary(of: $0) }, total: conversations.count)
        case .client(let clientID):
            return summary(of: clientID).map { .client($0) } ?? .unknownClient
        case .messages(let clientID, let bound, let count):
            return conversations.messages(of: clientID, bound, count: count).map { .messages($0) } ?? .unknownClient
        case .perform(let action, let clientID):
            return perform(action, for: ScriptEvent(kind: .start, clientID: clientID), &turn)
        case .load(let script):
            load(script, &turn)
            return .done(messageID: nil)
        }
    }

    // MARK: The desk

    /// Returns the answer to a request of the operator desk.
    private mutating func answer(_ request: DeskRequest, _ turn: inout ServerTurn) -> DeskAnswer {
        switch request {
        case .inbox:
            return .inbox(desk.inbox(conversations, &turn))
        case .row(let clientID):
            return desk.row(of: clientID, conversations).map { .row($0) } ?? .unknownClient
        case .conversation(let clientID, let bound):
            let sockets = network.sockets.ready(of: clientID).count
            return desk.conversation(clientID, bound, conversations, sockets: sockets, &turn)
                .map { .conversation($0) } ?? .unknownClient
        case .search(let text):
            guard settings.limits.accepts(identifier: text) else {
                return .refused(OperatorRefusal(.tooLong, "The search text is too long."))
            }
            return .results(desk.search(text, conversations))
        case .sits(let seat, let person, let clientID):
            tellDesks(desk.sit(seat, person, clientID: clientID, at: turn.now.monotonic).events, &turn)
            return .done(messageID: nil)
        case .follows(let seat, let person, let clientID, let position):
            let (isSeated, events) = desk.sit(seat, person, clientID: clientID, at: turn.now.monotonic)
            guard isSeated else {
                return .refused(OperatorRefusal(.full, "At most \(desk.limits.seats) desks can be open."))
            }
            tellDesks(events, &turn)
            return .missed(desk.catchUp(after: position, conversations, &turn))
        case .leaves(let seat):
            tellDesks(desk.leave(seat), &turn)
            return .done(messageID: nil)
        case .act(let action, let clientID, let person):
            var desk = desk
            let answer = converse(with: clientID, &turn) { desk.act(action, in: clientID, by: person, &$0, &$1) }
            self.desk = desk
            if case .types = action, answer.refusal == nil {
                tellDesks([.operatorTypes(clientID: clientID, person)], &turn)
            }
            return answer
        }
    }

    /// Sends events to the open desks, if there are any.
    private func tellDesks(_ events: [DeskEvent], _ turn: inout ServerTurn) {
        if !events.isEmpty, desk.presence.hasStreams { turn.add(.tellDesks(events)) }
    }

    private func summary(of clientID: String) -> ClientSummary? {
        conversations[clientID]?.summary(
            sockets: network.sockets.ready(of: clientID).count, devices: devices.count(of: clientID))
    }
}
