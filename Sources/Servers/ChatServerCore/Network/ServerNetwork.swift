import ChatWire

/// The connections to the clients: sockets, planned faults and network conditions.
struct ServerNetwork: Hashable, Sendable {
    /// The maximum time that a push waits to be overtaken, in nanoseconds. Then it is sent.
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

    /// Returns the network after a restart of the server, without sockets and waiting frames.
    func restarted() -> ServerNetwork {
        var network = ServerNetwork(limits: limits)
        network.faults = faults
        network.queue.conditions = queue.conditions
        return network
    }

    /// When ``wake(_:)`` is due, on the monotonic clock.
    var nextWake: Int64? { [queue.nextDue, connections.nextDeadline].compactMap { $0 }.min() }

    /// The number of planned faults.
    var plannedFaults: Int { faults.count }

    /// The network conditions for every client.
    var conditions: NetworkConditions {
        get { queue.conditions }
        set { queue.conditions = newValue }
    }

    /// The open sockets.
    var sockets: ConnectionTable { connections }

    subscript(id: ConnectionID) -> ConnectionState? { connections[id] }

    /// Plans faults. Returns `false` if they exceed the limit.
    mutating func plan(_ more: [ServerFault]) -> Bool { faults.add(more) }

    // MARK: Sockets

    /// Adds a socket, unless its number is in use or the limit is reached.
    mutating func open(_ id: ConnectionID, token: String?, _ turn: inout ServerTurn) {
        guard connections[id] == nil else { return turn.note(.repeatedConnection) }
        guard connections.count < limits.connections else { return turn.add(.close(id, .full)) }
        connections.open(id, token: token, deadline: turn.now.monotonic + limits.registrationTime)
    }

    /// Records that a socket has ended, and drops its waiting frames.
    mutating func ended(_ id: ConnectionID, _ turn: inout ServerTurn) {
        guard remove(id, &turn) else { return turn.note(.unknownConnection) }
        queue.forget(id)
    }

    /// Closes a connection.
    mutating func close(_ id: ConnectionID, _ reason: ServerCloseReason, _ turn: inout ServerTurn) {
        _ = remove(id, &turn)
        turn.add(.close(id, reason))
    }

    /// Closes a connection with a script's code.
    mutating func hangUp(_ id: ConnectionID, code: UInt16, reason: String, _ turn: inout ServerTurn) {
        _ = remove(id, &turn)
        turn.add(.hangUp(id, code: code, reason: reason))
    }

    /// Closes the sockets that did not register in time, and sends the frames that are due.
    mutating func wake(_ turn: inout ServerTurn) {
        for id in connections.late(at: turn.now.monotonic) { close(id, .registrationTimedOut, &turn) }
        for frame in queue.takeDue(at: turn.now.monotonic) where connections[frame.connection] != nil {
            turn.release(frame.frame, to: frame.connection)
        }
    }

    /// Records the registration on a socket, and closes the device's other sockets: the client only uses the newest.
    mutating func register(
        _ id: ConnectionID, clientID: String, deviceAddress: String, apiVersion: Int64, _ turn: inout ServerTurn
    ) {
        for other in connections.ids(ofDevice: deviceAddress) where other != id { close(other, .replaced, &turn) }
        connections.register(id, clientID: clientID, deviceAddress: deviceAddress, apiVersion: apiVersion)
    }

    /// Records that a socket's handshake is complete.
    mutating func completeHandshake(of id: ConnectionID) {
        connections.completeHandshake(of: id)
    }

    private mutating func remove(_ id: ConnectionID, _ turn: inout ServerTurn) -> Bool {
        guard let connection = connections.remove(id) else { return false }
        turn.happened(ScriptEvent(kind: .disconnected, clientID: connection.clientID, connection: id))
        return true
    }

    // MARK: Frames of clients

    /// The fate of a received frame.
    enum Arrival: Hashable, Sendable {
        /// The frame was lost, or its socket was closed.
        case lost
        /// The frame is answered with this failure, without other effects.
        case fails(ErrorAnswer)
        /// The frame is handled; the fault applies to its reply.
        case arrives(ServerFault?)
    }

    /// Decides the fate of a frame: lost by the network, subject to a planned fault, or handled.
    mutating func receive(_ frame: ClientFrame, on id: ConnectionID, _ turn: inout ServerTurn) -> Arrival {
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

    /// Applies a fault to the reply of a frame that was handled.
    mutating func spoilReply(
        to frame: ClientFrame, on id: ConnectionID, by fault: ServerFault, _ turn: inout ServerTurn
    ) {
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

    /// Sends messages to one connection: those that its protocol version supports, or all if they are `isRaw`. A
    /// planned fault may drop, repeat or reorder them.
    mutating func push(
        _ messages: [DeliveredMessage], to id: ConnectionID, isRaw: Bool = false, _ turn: inout ServerTurn
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

    /// Ends a turn: returns all effects after applying the network conditions.
    mutating func finish(_ turn: inout ServerTurn) -> [ServerEffect] {
        let now = turn.now.monotonic
        return turn.finished { effects, identifiers in queue.deliver(effects, at: now, &identifiers) }
    }

    // MARK: Calls

    /// Answers an upgrade request.
    mutating func answerUpgrade(_ call: ServerCallID, _ turn: inout ServerTurn) {
        let decision = faults.decideOnUpgrade()
        if decision != .accept { turn.note(.fault) }
        if conditions.latency > 0 { turn.add(.stall(call, nanoseconds: conditions.latency)) }
        turn.add(.admit(call, decision))
    }

    /// Delays the answer to a call if a fault or the network conditions require it.
    mutating func stall(_ call: ServerCallID, _ name: CallName, _ turn: inout ServerTurn) {
        let delay = faults.takeDelay(of: name).addingClamped(conditions.latency)
        if delay > 0 { turn.add(.stall(call, nanoseconds: delay)) }
    }

    /// Takes the planned failure of a call, if any.
    mutating func takeFailure(of name: CallName, _ turn: inout ServerTurn) -> ServerAnswer? {
        guard let answer = faults.takeFailure(of: name) else { return nil }
        turn.note(.fault)
        return answer
    }
}

extension DeliveredMessage {
    /// Returns the message for a client of this version.
    fileprivate func written(for version: Int64) -> DeliveredMessage? {
        guard let content = VersionGate.content(content, for: version) else { return nil }
        var message = self
        message.content = content
        return message
    }
}

/// The simulated network conditions for every client.
package struct NetworkConditions: Hashable, Sendable {
    /// The additional latency of every frame and every answer from the server, in nanoseconds. The order is kept.
    package var latency: Int64
    /// The percentage of lost frames, in both directions. HTTP answers are not lost.
    package var lossPercent: Int64
    /// The percentage of pushes that are sent twice.
    package var duplicatePercent: Int64

    package init(latency: Int64 = 0, lossPercent: Int64 = 0, duplicatePercent: Int64 = 0) {
        self.latency = max(0, latency)
        self.lossPercent = min(max(0, lossPercent), 100)
        self.duplicatePercent = min(max(0, duplicatePercent), 100)
    }

    /// A network without faults.
    package static let perfect = NetworkConditions()
}
