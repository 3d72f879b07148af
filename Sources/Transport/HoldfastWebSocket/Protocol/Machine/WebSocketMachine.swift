/// The state machine of one end of a WebSocket connection. Its input is bytes, requests and the current time; its
/// output is frames and messages.
///
/// The machine does no I/O and reads no clock. Its driver calls one method at a time, performs the effects in order,
/// and calls ``wake(at:)`` at the time in ``nextWake``.
///
/// The machine has one owner, because the memory of its compression cannot be copied.
package struct WebSocketMachine: ~Copyable {
    /// The state of the connection (RFC 6455, 7.1).
    enum State: Hashable, Sendable {
        /// Messages are sent and received. Next: `failing`, `closing`, `lingering` or `closed`.
        case open
        /// The peer has violated the protocol. Its data is ignored, but earlier messages may be answered until
        /// `deadline`. Next: `lingering` or `closed`.
        case failing(WebSocketError, WebSocketClosure, deadline: WebSocketInstant)
        /// This end has sent its close frame and waits for the peer's until `deadline`. Next: `lingering` or `closed`.
        case closing(deadline: WebSocketInstant)
        /// Nothing is sent or processed any more; the machine waits for the end of the socket until `deadline`. Next:
        /// `closed`.
        case lingering(deadline: WebSocketInstant)
        /// The socket is closed or about to close.
        case closed
    }

    /// A ping that waits for its pong.
    struct PendingPing: Hashable, Sendable {
        var id: PingID
        var sentAt: WebSocketInstant
    }

    let role: WebSocketRole
    let settings: WebSocketSettings
    var parser: FrameParser
    var assembler: MessageAssembler
    var deflater: Deflater
    /// Whether a message in pieces has begun and not ended.
    var isSendingPieces = false
    var state = State.open
    /// How the connection ended, as soon as that is determined.
    var closure: WebSocketClosure?
    /// The request made by ``close(_:reason:at:)``.
    var closeRequest: CloseFrame?

    var nextPing: UInt64
    var pings: [PendingPing] = []
    /// The pong that waits because the socket is full. Only the latest ping is then answered (RFC 6455, 5.5.3), so a
    /// flood of pings costs nothing.
    var heldPong: [UInt8]?
    var isWritable = true

    /// Whether the driver has stopped reading because the reader is slow. Silence of the peer is then expected.
    var isPaused = false
    var lastSign: WebSocketInstant
    var keepAlivePing: WebSocketInstant?

    /// Makes a machine for a connection whose upgrade has completed.
    ///
    /// - Parameter firstPing: The number in the first ping; later pings count up.
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

    /// Whether memory is allocated for compression.
    package var holdsCompression: Bool { deflater.isAllocated || assembler.holdsInflater }

    /// The memory in bytes of received data that was not passed on: the header and message in progress, a control frame
    /// and the waiting pong. zlib's memory is not included; see ``holdsCompression``.
    package var heldBytes: Int { parser.heldBytes + assembler.heldBytes + (heldPong?.capacity ?? 0) }

    /// Whether messages are sent and received.
    package var isOpen: Bool { state == .open }

    /// Whether messages can be sent.
    package var canSend: Bool {
        switch state {
        case .open, .failing: true
        case .closing, .lingering, .closed: false
        }
    }

    /// Whether received messages are dropped. The reader must then not delay the end of the socket.
    package var discardsMessages: Bool { state != .open }

    /// The time at which ``wake(at:)`` has work; `nil` if never. The time may change without an event, but only to a
    /// later one while the connection is open. A timer may therefore fire early, but never late.
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
    /// Begins to close the connection. Later calls have no effect.
    ///
    /// ``WebSocketCloseCode/noStatus`` sends an empty close frame. A code that must not be sent cuts the connection.
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

    /// Ends the connection immediately, without notifying the peer.
    package mutating func abandon() -> [MachineEffect] {
        guard state != .closed else { return [] }
        var effects: [MachineEffect] = []
        if case .failing(let error, let closure, _) = state { end(closure, error: error, &effects) }
        end(unanswered(initiator: .local), &effects)
        state = .closed
        effects.append(.cutTransport)
        return effects
    }

    /// Handles that the peer has closed its direction of the socket, or that the socket is closed. `reason` is the
    /// system's description.
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
        // Otherwise, pending frames would wait for a peer that has disconnected.
        state = .closed
        effects.append(.cutTransport)
        return effects
    }

    /// Returns the closure of a connection whose peer sent no close frame.
    private func unanswered(initiator: WebSocketClosure.Initiator) -> WebSocketClosure {
        WebSocketClosure(code: .abnormal, reason: closeRequest?.reason ?? "", initiator: initiator, isClean: false)
    }
}

extension WebSocketMachine {
    /// Handles a due time from ``nextWake``. Early or superfluous calls have no effect.
    package mutating func wake(at now: WebSocketInstant) -> [MachineEffect] {
        guard let due = nextWake, now >= due else { return [] }
        switch state {
        case .open:
            guard keepAlivePing == nil else { return giveUp() }
            keepAlivePing = now
            // An empty payload cannot be confused with a ping of ``ping(at:)``.
            return [.transmit(OutboundFrame(opcode: .ping, bytes: []))]
        case .failing:
            return readerCaughtUp(at: now)
        case .closing, .lingering:
            return abandon()
        case .closed:
            return []
        }
    }

    /// Handles that the driver pauses or resumes reading because of the reader.
    package mutating func pausedChanged(to isPaused: Bool, at now: WebSocketInstant) {
        guard self.isPaused != isPaused else { return }
        self.isPaused = isPaused
        // The peer could not be heard in the meantime.
        lastSign = max(lastSign, now)
        keepAlivePing = nil
    }

    private mutating func giveUp() -> [MachineEffect] {
        var effects: [MachineEffect] = []
        let closure = WebSocketClosure(code: .abnormal, initiator: .local, isClean: false)
        let error = WebSocketError(
            .keepAliveTimedOut, "The peer did not answer the keep-alive ping before the timeout.", closure: closure)
        end(closure, error: error, &effects)
        state = .closed
        effects.append(.cutTransport)
        return effects
    }
}

/// An action that the driver of a ``WebSocketMachine`` must perform, in the given order.
package enum MachineEffect: Hashable, Sendable {
    /// Send a frame.
    case transmit(OutboundFrame)
    /// Pass a message to the reader.
    case deliver(WebSocketMessage)
    /// Pass a part of a message to the reader.
    case deliverPart(WebSocketPart)
    /// A ping was answered by its pong or by a later one.
    case answered(PingID, Duration)
    /// The peer has violated the protocol: the reader receives the error after the waiting messages. When it has taken
    /// all of them and had a chance to answer, call ``WebSocketMachine/readerCaughtUp(at:)``.
    case fail(WebSocketError)
    /// End the messages, with an error, or with `nil` after a proper close. Issued exactly once.
    case end(WebSocketClosure, WebSocketError?)
    /// Close this end's direction of the socket after all frames are written. Continue to read and drop data, so that a
    /// reset does not destroy the close frame.
    case closeOutput
    /// Close the socket after all frames are written.
    case closeTransport
    /// Close the socket immediately. Frames issued before are passed to the socket without waiting for them.
    case cutTransport
}

/// The number of a ping that waits for its pong.
package struct PingID: Hashable, Sendable, Comparable {
    package var number: UInt64

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.number < rhs.number }

    /// The payload of the ping: eight bytes, big-endian.
    var payload: [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
}

/// The end of a WebSocket connection. The rules for masking and for closing the socket depend on it.
package enum WebSocketRole: Hashable, Sendable, CaseIterable {
    /// The end that requested the upgrade. It masks its payload (RFC 6455, 5.3).
    case client
    /// The end that granted the upgrade. It must not mask (RFC 6455, 5.1).
    case server

    /// The other end's role.
    package var peer: WebSocketRole { self == .client ? .server : .client }
}
