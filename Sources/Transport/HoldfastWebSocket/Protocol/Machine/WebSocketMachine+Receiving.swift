extension WebSocketMachine {
    /// Bytes have arrived. What was taken of them is removed from `input`.
    ///
    /// Some of them are left only when more came of those before than ``WebSocketLimits/receiveBuffer`` holds, as compressed
    /// messages can bring about: call it again with the rest once there is room for more.
    package mutating func receive(
        _ input: inout UnsafeRawBufferPointer, at now: WebSocketInstant
    ) -> [MachineEffect] {
        var effects: [MachineEffect] = []
        lastSign = now
        keepAlivePing = nil
        var room = settings.limits.receiveBuffer
        let step = settings.deliversParts ? Self.partStep : .max
        do throws(ReceivingFailure) {
            // A frame whose payload is complete is ended even then: nothing may come that would ask for it.
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

    /// Bytes have arrived, and all of them are taken, however much comes of them.
    package mutating func receive(_ bytes: [UInt8], at now: WebSocketInstant) -> [MachineEffect] {
        bytes.withUnsafeBytes { bytes in
            var input = bytes
            var effects = receive(&input, at: now)
            while !input.isEmpty { effects += receive(&input, at: now) }
            return effects
        }
    }

    /// Delivers what has come of the message in progress, where that is wanted.
    private mutating func deliverPart(room: inout Int, into effects: inout [MachineEffect]) {
        if let part = assembler.takePart() { deliver(part, room: &room, into: &effects) }
    }

    private func deliver(_ part: WebSocketPart, room: inout Int, into effects: inout [MachineEffect]) {
        room -= part.bytes.count + WebSocketLimits.messageOverhead
        if isOpen { effects.append(.deliverPart(part)) }
    }

    /// How much payload is taken in one step where messages are delivered in parts, and the size from which a part is
    /// delivered before all that has arrived was looked at.
    private static var partStep: Int { 4 * 1024 }
    private static var partSize: Int { 64 * 1024 }

    /// Whether what arrives is still looked at: until the peer's close frame, or its first violation.
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
            // Once this end has asked to close, nobody waits for messages any more.
            if isOpen { effects.append(.deliver(message)) }
        case .ping(let payload):
            // RFC 6455, 5.5.2: unless a close frame was received. After ours, nothing may be sent.
            guard isOpen else { return }
            if isWritable {
                effects.append(.transmit(OutboundFrame(opcode: .pong, bytes: payload)))
            } else {
                heldPong = payload
            }
        case .pong(let payload):
            // A pong also answers the pings before it (5.5.3). One that nobody asked for is allowed, and means nothing.
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
            // RFC 6455, 5.5.1: echo the code. The reason was the peer's own words and is not repeated.
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

    /// Ends the connection because of what the peer did (RFC 6455, 7.1.7).
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

    /// The reader has seen all messages that came before the peer broke the protocol.
    package mutating func readerCaughtUp(at now: WebSocketInstant) -> [MachineEffect] {
        guard case .failing(let error, let closure, _) = state else { return [] }
        var effects: [MachineEffect] = []
        fail(error, closure, at: now, into: &effects)
        return effects
    }

    /// Ends the connection because zlib has failed at this end.
    package mutating func failCompression(at now: WebSocketInstant) -> [MachineEffect] {
        guard isReading || canSend else { return [] }
        var effects: [MachineEffect] = []
        let closure = WebSocketClosure(code: .internalError, initiator: .local, isClean: false)
        let error = WebSocketError(.compressionFailed, "zlib has failed at this end.", closure: closure)
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

    /// Says how the connection ended, the first time that it is settled.
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
