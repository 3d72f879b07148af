extension WebSocketMachine {
    /// Processes received bytes and removes them from `input`.
    ///
    /// Bytes remain only if compressed messages expanded to more than ``WebSocketLimits/receiveBuffer``. Call the
    /// method again with the rest when there is space.
    package mutating func receive(
        _ input: inout UnsafeRawBufferPointer, at now: WebSocketInstant
    ) -> [MachineEffect] {
        var effects: [MachineEffect] = []
        lastSign = now
        keepAlivePing = nil
        var room = settings.limits.receiveBuffer
        let step = settings.deliversParts ? Self.partStep : .max
        do throws(ReceivingFailure) {
            // A frame with a complete payload is ended even without space, because no later event might do so.
            while isReading, room > 0 || parser.isAtFrameEnd,
                let part = try parser.next(&input, maximumPayload: step)
            {
                switch part {
                case .header(let header):
                    try assembler.begin(header)
                case .payload(let payload, let offset):
                    try assembler.append(payload, offset: offset)
                    if assembler.pendingSize >= Self.partSize { deliverPart(room: &room, into: &effects) }
                case .end:
                    if let product = try assembler.end() {
                        take(product, at: now, room: &room, into: &effects)
                    }
                }
            }
            deliverPart(room: &room, into: &effects)
        } catch {
            fail(error, at: now, into: &effects)
        }
        if !isReading { input = UnsafeRawBufferPointer(start: nil, count: 0) }
        return effects
    }

    /// Delivers the available part of the message in progress, if messages are delivered in parts.
    private mutating func deliverPart(room: inout Int, into effects: inout [MachineEffect]) {
        if let part = assembler.takePart() { deliver(part, room: &room, into: &effects) }
    }

    private func deliver(_ part: WebSocketPart, room: inout Int, into effects: inout [MachineEffect]) {
        room -= part.bytes.count + WebSocketLimits.messageOverhead
        if isOpen { effects.append(.deliverPart(part)) }
    }

    /// The payload bytes per step if messages are delivered in parts. ``partSize`` is the size from which a part is
    /// delivered before all received bytes are processed.
    private static var partStep: Int { 4 * 1024 }
    private static var partSize: Int { 64 * 1024 }

    /// Whether received bytes are still processed: until the peer's close frame or its first violation.
    private var isReading: Bool {
        switch state {
        case .open, .closing: true
        case .failing, .lingering, .closed: false
        }
    }

    private mutating func take(
        _ product: MessageAssembler.Product, at now: WebSocketInstant, room: inout Int,
        into effects: inout [MachineEffect]
    ) {
        switch product {
        case .part(let part):
            deliver(part, room: &room, into: &effects)
        case .message(let message):
            room -= message.byteCount + WebSocketLimits.messageOverhead
            // After this end has started to close, messages are dropped.
            if isOpen { effects.append(.deliver(message)) }
        case .ping(let payload):
            // RFC 6455, 5.5.2: a pong is not due after a close frame was received. After our close frame, nothing may
            // be sent.
            guard isOpen else { return }
            if isWritable {
                effects.append(.transmit(OutboundFrame(opcode: .pong, bytes: payload)))
            } else {
                heldPong = payload
            }
        case .pong(let payload):
            // A pong also answers earlier pings (RFC 6455, 5.5.3). An unsolicited pong is allowed and ignored.
            guard let index = pings.firstIndex(where: { $0.id.payload == payload }) else { return }
            for ping in pings[...index] {
                effects.append(.answered(ping.id, ping.sentAt.duration(to: now)))
            }
            pings.removeSubrange(...index)
        case .close(let frame):
            receivedClose(frame, at: now, into: &effects)
        }
    }

    private mutating func receivedClose(
        _ frame: CloseFrame, at now: WebSocketInstant, into effects: inout [MachineEffect]
    ) {
        let initiator: WebSocketClosure.Initiator
        if isOpen {
            // RFC 6455, 5.5.1: the code is echoed. The peer's reason is not repeated.
            initiator = .remote
            effects.append(.transmit(OutboundFrame(opcode: .close, bytes: CloseFrame(code: frame.code).payload)))
        } else {
            initiator = .local
        }
        end(WebSocketClosure(code: frame.code, reason: frame.reason, initiator: initiator, isClean: true), &effects)
        // RFC 6455, 7.1.1: the server closes the socket first, so that the client keeps no TIME_WAIT.
        state = .lingering(deadline: now.advanced(by: settings.closeTimeout))
        if role == .server { effects.append(.closeTransport) }
    }

    /// Ends the connection because of a violation by the peer (RFC 6455, 7.1.7).
    private mutating func fail(
        _ failure: ReceivingFailure, at now: WebSocketInstant, into effects: inout [MachineEffect]
    ) {
        switch failure {
        case .violation(let rule):
            let closure = WebSocketClosure(code: rule.closeCode, initiator: .local, isClean: false)
            let error = WebSocketError(violation: rule, closure: closure)
            guard isOpen else { return fail(error, closure, at: now, into: &effects) }
            state = .failing(error, closure, deadline: now.advanced(by: settings.closeTimeout))
            pings.removeAll()
            heldPong = nil
            effects.append(.fail(error))
        case .zlib:
            effects += failCompression(at: now)
        }
    }

    /// Handles that the reader has taken all messages that preceded the peer's violation.
    package mutating func readerCaughtUp(at now: WebSocketInstant) -> [MachineEffect] {
        guard case .failing(let error, let closure, _) = state else { return [] }
        var effects: [MachineEffect] = []
        fail(error, closure, at: now, into: &effects)
        return effects
    }

    /// Ends the connection because zlib failed at this end.
    package mutating func failCompression(at now: WebSocketInstant) -> [MachineEffect] {
        guard isReading || canSend else { return [] }
        var effects: [MachineEffect] = []
        let closure = WebSocketClosure(code: .internalError, initiator: .local, isClean: false)
        let error = WebSocketError(
            .compressionFailed, "Compression failed at this end: zlib reported an error.", closure: closure)
        fail(error, closure, at: now, into: &effects)
        return effects
    }

    private mutating func fail(
        _ error: WebSocketError, _ closure: WebSocketClosure, at now: WebSocketInstant,
        into effects: inout [MachineEffect]
    ) {
        if canSend {
            effects.append(.transmit(OutboundFrame(opcode: .close, bytes: CloseFrame(code: closure.code).payload)))
        }
        end(closure, error: error, &effects)
        state = .lingering(deadline: now.advanced(by: settings.closeTimeout))
        effects.append(.closeOutput)
    }

    /// Reports how the connection ended, once.
    mutating func end(
        _ closure: WebSocketClosure, error: WebSocketError? = nil, _ effects: inout [MachineEffect]
    ) {
        guard self.closure == nil else { return }
        self.closure = closure
        pings.removeAll()
        heldPong = nil
        effects.append(.end(closure, error))
    }
}
