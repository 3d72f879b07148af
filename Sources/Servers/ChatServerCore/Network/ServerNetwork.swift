import ChatWire

/// The way to the clients: their sockets, the faults that are planned for it, and the conditions of the network.
struct ServerNetwork: Hashable, Sendable {
    /// Nanoseconds that a push waits at most to be overtaken by the next.
    static let longestSwap: Int64 = 5_000_000_000

    private var connections = ConnectionTable()
    private var faults: FaultPlan
    private var queue: FrameQueue
    private let limits: ServerLimits

    init(limits: ServerLimits) {
        self.limits = limits
        faults = FaultPlan(limit: limits.faults)
        queue = FrameQueue(limit: limits.heldFrames)
    }

    /// The same network after a restart of the server: the sockets and the waiting frames are gone.
    func restarted() -> ServerNetwork {
        var network = ServerNetwork(limits: limits)
        network.faults = faults
        network.queue.conditions = queue.conditions
        return network
    }

    /// When ``wake(_:)`` is wanted, on the monotonic clock.
    var nextWake: Int64? { [queue.nextDue, connections.nextDeadline].compactMap { $0 }.min() }

    /// The number of planned faults.
    var plannedFaults: Int { faults.count }

    /// How bad the way to every client is.
    var conditions: NetworkConditions {
        get { queue.conditions }
        set { queue.conditions = newValue }
    }

    /// The open sockets, to be looked at.
    var sockets: ConnectionTable { connections }

    subscript(id: ConnectionID) -> ConnectionState? { connections[id] }

    /// Plans faults. Returns `false` when there is no room for them.
    mutating func plan(_ more: [ServerFault]) -> Bool { faults.add(more) }

    // MARK: Sockets

    /// Adds a socket, unless its number is taken or there is no room for it.
    mutating func open(_ id: ConnectionID, token: String?, _ turn: inout Update) {
        guard connections[id] == nil else { return turn.note(.repeatedConnection) }
        guard connections.count < limits.connections else { return turn.add(.close(id, .full)) }
        connections.open(id, token: token, deadline: turn.now.monotonic + limits.registrationTime)
    }

    /// Notes that a socket has ended, and forgets what waits for it.
    mutating func ended(_ id: ConnectionID, _ turn: inout Update) {
        guard remove(id, &turn) else { return turn.note(.unknownConnection) }
        queue.forget(id)
    }

    /// Ends a connection from this side.
    mutating func close(_ id: ConnectionID, _ reason: ServerCloseReason, _ turn: inout Update) {
        _ = remove(id, &turn)
        turn.add(.close(id, reason))
    }

    /// Ends a connection with the code that a script wants.
    mutating func hangUp(_ id: ConnectionID, code: UInt16, reason: String, _ turn: inout Update) {
        _ = remove(id, &turn)
        turn.add(.hangUp(id, code: code, reason: reason))
    }

    /// Closes the sockets that did not register in time, and releases the frames whose time has come.
    mutating func wake(_ turn: inout Update) {
        for id in connections.late(at: turn.now.monotonic) { close(id, .registrationTimedOut, &turn) }
        for frame in queue.takeDue(at: turn.now.monotonic) where connections[frame.connection] != nil {
            turn.release(frame.frame, to: frame.connection)
        }
    }

    /// Notes who has registered on a socket, and replaces the other sockets of the device: the newer one is the one that
    /// the client knows of.
    mutating func register(
        _ id: ConnectionID, clientID: String, deviceAddress: String, apiVersion: Int64, _ turn: inout Update
    ) {
        for other in connections.ids(ofDevice: deviceAddress) where other != id { close(other, .replaced, &turn) }
        connections.register(id, clientID: clientID, deviceAddress: deviceAddress, apiVersion: apiVersion)
    }

    /// Notes that the handshake of a socket is complete.
    mutating func completeHandshake(of id: ConnectionID) {
        connections.completeHandshake(of: id)
    }

    private mutating func remove(_ id: ConnectionID, _ turn: inout Update) -> Bool {
        guard let connection = connections.remove(id) else { return false }
        turn.happened(ScriptEvent(kind: .disconnected, clientID: connection.clientID, connection: id))
        return true
    }

    // MARK: Frames of clients

    /// What becomes of a frame that came.
    enum Arrival: Hashable, Sendable {
        /// The frame is lost, or its socket was cut.
        case lost
        /// The frame is answered with this failure and has no other effect.
        case fails(ErrorAnswer)
        /// The frame takes effect; the fault spoils its reply.
        case arrives(ServerFault?)
    }

    /// Decides what becomes of a frame: lost by the network, met by a planned fault, or taken.
    mutating func receive(_ frame: ClientFrame, on id: ConnectionID, _ turn: inout Update) -> Arrival {
        if turn.identifiers.draws(percent: conditions.lossPercent) {
            turn.note(.lost)
            return .lost
        }
        let fault = faults.takeFault(for: frame)
        if fault != nil { turn.note(.fault) }
        switch fault {
        case .lose:
            return .lost
        case .cut:
            close(id, .fault, &turn)
            return .lost
        case .fail(_, let failure):
            return .fails(failure)
        default:
            return .arrives(fault)
        }
    }

    /// Does what a fault does to the reply of a frame that has taken effect.
    mutating func spoilReply(to frame: ClientFrame, on id: ConnectionID, by fault: ServerFault, _ turn: inout Update) {
        switch fault {
        case .cutBeforeReply where connections[id] != nil:
            turn.replaceSends(to: id) { _ in [] }
            close(id, .fault, &turn)
        case .withhold:
            turn.replaceReplies(to: frame, on: id) { _ in [] }
        case .delayReply(_, let nanoseconds):
            let due = turn.now.monotonic.addingClamped(max(0, nanoseconds))
            turn.replaceReplies(to: frame, on: id) { reply in
                queue.hold(HeldFrame(due: due, connection: id, frame: reply, keepsOrder: false)) ? [] : [reply]
            }
        case .repeatReply:
            turn.replaceReplies(to: frame, on: id) { [$0, $0] }
        default: break
        }
    }

    // MARK: Frames of the server

    /// Sends messages to one connection: those that its protocol version knows, or all if they are `isRaw`. A planned fault
    /// may have them lost, sent twice, or sent behind the next.
    mutating func push(
        _ messages: [DeliveredMessage], to id: ConnectionID, isRaw: Bool = false, _ turn: inout Update
    ) {
        let version = connections[id]?.apiVersion ?? VersionGate.baseline
        let known = isRaw ? messages : messages.compactMap { $0.written(for: version) }
        guard !known.isEmpty else { return }
        let frame = ServerFrame(.messages(known), createdAt: turn.now.wall)
        if faults.take(.losePush) { return turn.note(.fault) }
        if let overtaken = queue.takeSwapped(for: id) {
            turn.send(id, frame)
            return turn.send(id, overtaken)
        }
        if faults.take(.swapPushes) {
            turn.note(.fault)
            let due = turn.now.monotonic.addingClamped(Self.longestSwap)
            if queue.hold(HeldFrame(due: due, connection: id, frame: frame, keepsOrder: false, isSwapped: true)) {
                return
            }
        }
        turn.send(id, frame)
        guard faults.take(.repeatPush) else { return }
        turn.note(.fault)
        turn.send(id, frame)
    }

    /// Ends a turn: returns all effects, as the network leaves those that go out.
    mutating func finish(_ turn: inout Update) -> [ServerEffect] {
        let now = turn.now.monotonic
        return turn.finished { effects, identifiers in queue.deliver(effects, at: now, &identifiers) }
    }

    // MARK: Calls

    /// Answers a request for an upgrade.
    mutating func answerUpgrade(_ call: ServerCallID, _ turn: inout Update) {
        let decision = faults.decideOnUpgrade()
        if decision != .accept { turn.note(.fault) }
        if conditions.latency > 0 { turn.add(.stall(call, nanoseconds: conditions.latency)) }
        turn.add(.admit(call, decision))
    }

    /// Stalls the answer to a call, if a fault or the network wants it.
    mutating func stall(_ call: ServerCallID, _ name: CallName, _ turn: inout Update) {
        let delay = faults.takeDelay(of: name).addingClamped(conditions.latency)
        if delay > 0 { turn.add(.stall(call, nanoseconds: delay)) }
    }

    /// The planned failure of a call, if any.
    mutating func takeFailure(of name: CallName, _ turn: inout Update) -> ServerAnswer? {
        guard let answer = faults.takeFailure(of: name) else { return nil }
        turn.note(.fault)
        return answer
    }
}

extension DeliveredMessage {
    /// The message as a client of this version is sent it.
    fileprivate func written(for version: Int64) -> DeliveredMessage? {
        guard let content = VersionGate.content(content, for: version) else { return nil }
        var message = self
        message.content = content
        return message
    }
}
