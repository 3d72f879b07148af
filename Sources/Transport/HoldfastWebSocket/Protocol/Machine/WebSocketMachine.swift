/// One end of a WebSocket connection as a value: bytes and wishes go in with the time, frames and messages come out.
///
/// It does no I/O and reads no clock. Whoever drives it calls one method at a time, carries the effects out in order,
/// and calls ``wake(at:)`` when the time given by ``nextWake`` has come.
///
/// There is one owner: compression keeps memory of its own, which cannot be copied.
package struct WebSocketMachine: ~Copyable {
    /// Where the connection stands (RFC 6455, 7.1).
    enum State: Hashable, Sendable {
        /// Messages go both ways. Next: `failing`, `closing`, `lingering` or `closed`.
        case open
        /// The peer has broken the protocol. What it sends is not looked at any more, but messages that came before may be
        /// answered until `deadline`. Next: `lingering` or `closed`.
        case failing(WebSocketError, WebSocketClosure, deadline: WebSocketInstant)
        /// Our close frame is out, the peer's has not come; it has until `deadline`. Next: `lingering` or `closed`.
        case closing(deadline: WebSocketInstant)
        /// Nothing is sent or looked at any more; the socket's end is awaited until `deadline`. Next: `closed`.
        case lingering(deadline: WebSocketInstant)
        /// The socket is gone, or about to go.
        case closed
    }

    /// A ping that waits.
    struct PendingPing: Hashable, Sendable {
        var id: PingID
        var sentAt: WebSocketInstant
    }

    let role: WebSocketRole
    let settings: WebSocketSettings
    var parser: FrameParser
    var assembler: MessageAssembler
    var deflater: Deflater
    /// Whether a message that is sent in pieces has begun and not ended.
    var isSendingPieces = false
    var state = State.open
    /// How the connection ended, from the moment on when that is settled.
    var closure: WebSocketClosure?
    /// What was asked for by ``close(_:reason:at:)``.
    var closeRequest: CloseFrame?

    var nextPing: UInt64
    var pings: [PendingPing] = []
    /// The pong that waits for a full socket. Only the latest ping is answered then (RFC 6455, 5.5.3), so a flood costs
    /// nothing.
    var heldPong: [UInt8]?
    var isWritable = true

    /// Whether the driver has stopped to read because the reader is slow. Silence means nothing then.
    var isPaused = false
    var lastSign: WebSocketInstant
    var keepAlivePing: WebSocketInstant?

    /// Makes a machine for a connection whose upgrade was just completed.
    ///
    /// - Parameter firstPing: What the first ping carries; the next ones count up.
    package init(role: WebSocketRole, settings: WebSocketSettings, at now: WebSocketInstant, firstPing: UInt64 = 1) {
        self.role = role
        self.settings = settings
        self.parser = FrameParser(
            receiver: role, maximumLength: settings.limits.maximumFrameSize,
            allowsCompression: settings.deflate != nil)
        self.assembler = MessageAssembler(
            limits: settings.limits, deflate: settings.deflate, deliversParts: settings.deliversParts)
        self.deflater = Deflater(
            windowBits: settings.deflate?.sendingWindowBits ?? 15,
            keepsContext: settings.deflate?.keepsSendingContext ?? false, level: settings.deflate?.level ?? 6)
        self.nextPing = firstPing
        self.lastSign = now
    }

    /// Whether memory is taken for compression.
    package var holdsCompression: Bool { deflater.isAllocated || assembler.holdsInflater }

    /// The memory, in bytes, that is taken by what has arrived and was not handed on: the header and the message in progress,
    /// a control frame, and the pong that waits. zlib's is not counted; see ``holdsCompression``.
    package var heldBytes: Int { parser.heldBytes + assembler.heldBytes + (heldPong?.capacity ?? 0) }

    /// Whether messages go both ways.
    package var isOpen: Bool { state == .open }

    /// Whether messages can be sent.
    package var canSend: Bool {
        switch state {
        case .open, .failing: true
        case .closing, .lingering, .closed: false
        }
    }

    /// Whether what arrives is dropped unread: the reader must not hold up the socket's end then.
    package var discardsMessages: Bool { state != .open }

    /// The time at which ``wake(at:)`` has something to do; `nil`: never. It may move without an event being given, and
    /// only to later times while the connection is open, so a timer may be armed late but never twice.
    package var nextWake: WebSocketInstant? {
        switch state {
        case .open:
            guard let keepAlive = settings.keepAlive, !isPaused else { return nil }
            if let keepAlivePing { return keepAlivePing.advanced(by: keepAlive.timeout) }
            return lastSign.advanced(by: keepAlive.interval)
        case .closing(let deadline), .lingering(let deadline), .failing(_, _, let deadline):
            return deadline
        case .closed:
            return nil
        }
    }
}

extension WebSocketMachine {
    /// Begins to close. Later calls change nothing.
    ///
    /// ``WebSocketCloseCode/noStatus`` sends an empty close frame; a code that stands for the lack of one cuts the
    /// connection.
    package mutating func close(
        _ code: WebSocketCloseCode, reason: String = "", at now: WebSocketInstant
    ) -> [MachineEffect] {
        guard canSend else { return [] }
        guard code.isAllowedOnWire || code == .noStatus else { return abandon() }
        if case .failing = state { return readerCaughtUp(at: now) }
        assembler.stopInflating()
        let frame = CloseFrame(code: code, reason: reason)
        closeRequest = frame
        heldPong = nil
        state = .closing(deadline: now.advanced(by: settings.closeTimeout))
        return [.transmit(OutboundFrame(opcode: .close, bytes: frame.payload))]
    }

    /// Ends the connection at once, without a word to the peer.
    package mutating func abandon() -> [MachineEffect] {
        guard state != .closed else { return [] }
        var effects: [MachineEffect] = []
        if case .failing(let error, let closure, _) = state { end(closure, error: error, &effects) }
        end(unanswered(initiator: .local), &effects)
        state = .closed
        effects.append(.cutTransport)
        return effects
    }

    /// The peer has closed its direction of the socket, or the socket is gone. `reason` is the system's word on it.
    package mutating func transportClosed(_ reason: String? = nil) -> [MachineEffect] {
        guard state != .closed else { return [] }
        var effects: [MachineEffect] = []
        if case .failing(let error, let closure, _) = state {
            end(closure, error: error, &effects)
        } else if isOpen {
            let closure = unanswered(initiator: .remote)
            let detail = reason.map { " (\($0))" } ?? ""
            let error = WebSocketError(
                .connectionLost, "The connection ended without a close frame\(detail).", closure: closure)
            end(closure, error: error, &effects)
        } else {
            end(unanswered(initiator: .local), &effects)
        }
        // Frames that the socket has not taken yet would wait for a peer that is gone.
        state = .closed
        effects.append(.cutTransport)
        return effects
    }

    /// The closure of a connection whose peer sent no close frame.
    private func unanswered(initiator: WebSocketClosure.Initiator) -> WebSocketClosure {
        WebSocketClosure(code: .abnormal, reason: closeRequest?.reason ?? "", initiator: initiator, isClean: false)
    }
}

extension WebSocketMachine {
    /// The time given by ``nextWake`` may have come. Calling it early, or for nothing, is harmless.
    package mutating func wake(at now: WebSocketInstant) -> [MachineEffect] {
        guard let due = nextWake, now >= due else { return [] }
        switch state {
        case .open:
            guard keepAlivePing == nil else { return giveUp() }
            keepAlivePing = now
            // Zero bytes: never mistaken for a ping that somebody waits for.
            return [.transmit(OutboundFrame(opcode: .ping, bytes: []))]
        case .failing:
            return readerCaughtUp(at: now)
        case .closing, .lingering:
            return abandon()
        case .closed:
            return []
        }
    }

    /// The driver stops to read, or reads again, because of the reader of the messages.
    package mutating func pausedChanged(to isPaused: Bool, at now: WebSocketInstant) {
        guard self.isPaused != isPaused else { return }
        self.isPaused = isPaused
        // The peer could not be heard meanwhile.
        lastSign = max(lastSign, now)
        keepAlivePing = nil
    }

    private mutating func giveUp() -> [MachineEffect] {
        var effects: [MachineEffect] = []
        let closure = WebSocketClosure(code: .abnormal, initiator: .local, isClean: false)
        let error = WebSocketError(
            .keepAliveTimedOut, "The peer gave no sign of life in time.", closure: closure)
        end(closure, error: error, &effects)
        state = .closed
        effects.append(.cutTransport)
        return effects
    }
}

/// What the driver of a ``WebSocketMachine`` has to do, in the order given.
package enum MachineEffect: Hashable, Sendable {
    /// Send a frame.
    case transmit(OutboundFrame)
    /// Hand a message to the reader.
    case deliver(WebSocketMessage)
    /// Hand a part of a message to the reader.
    case deliverPart(WebSocketPart)
    /// A ping got its pong, or a later one did.
    case answered(PingID, Duration)
    /// The peer has broken the protocol: the reader gets the error behind the messages that wait for it. As soon as it has
    /// seen them all, and has had the occasion to answer, call ``WebSocketMachine/readerCaughtUp(at:)``.
    case fail(WebSocketError)
    /// No more messages come: with an error, or with `nil` after a proper close. Given exactly once.
    case end(WebSocketClosure, WebSocketError?)
    /// Close this end's direction of the socket once all frames are written, and go on reading (and dropping) what
    /// comes, so that the close frame is not lost to a reset.
    case closeOutput
    /// Close the socket once all frames are written.
    case closeTransport
    /// Close the socket now; frames given before are handed to it, but not waited for.
    case cutTransport
}

/// The number of a ping that waits for its pong.
package struct PingID: Hashable, Sendable, Comparable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.number < rhs.number }

    /// What the ping carries: eight bytes, big-endian.
    var payload: [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
}
