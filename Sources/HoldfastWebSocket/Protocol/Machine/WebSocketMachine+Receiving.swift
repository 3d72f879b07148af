extension WebSocketMachine {
    /// Bytes have arrived.
    package mutating func receive(_ bytes: UnsafeRawBufferPointer, at now: WebSocketInstant) -> [MachineEffect] {
        var effects: [MachineEffect] = []
        var input = bytes
        lastSign = now
        keepAlivePing = nil
        do throws(ProtocolViolation) {
            while isReading, let part = try parser.next(&input) {
                switch part {
                case .header(let header):
                    try assembler.begin(header)
                case .payload(let payload, let offset):
                    try assembler.append(payload, offset: offset)
                case .end:
                    if let product = try assembler.end() {
                        take(product, at: now, into: &effects)
                    }
                }
            }
        } catch {
            fail(error, at: now, into: &effects)
        }
        return effects
    }

    /// Bytes have arrived.
    package mutating func receive(_ bytes: [UInt8], at now: WebSocketInstant) -> [MachineEffect] {
        bytes.withUnsafeBytes { receive($0, at: now) }
    }

    /// Whether what arrives is still looked at: until the peer's close frame, or its first violation.
    private var isReading: Bool {
        switch state {
        case .open, .closing: true
        case .lingering, .closed: false
        }
    }

    private mutating func take(
        _ product: MessageAssembler.Product, at now: WebSocketInstant, into effects: inout [MachineEffect]
    ) {
        switch product {
        case .message(let message):
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
        switch role {
        case .server:
            state = .lingering(deadline: now.advanced(by: settings.closeTimeout))
            effects.append(.closeTransport)
        case .client:
            state = .lingering(deadline: now.advanced(by: settings.closeTimeout))
        }
    }

    /// Ends the connection because of what the peer did (RFC 6455, 7.1.7).
    private mutating func fail(
        _ violation: ProtocolViolation, at now: WebSocketInstant, into effects: inout [MachineEffect]
    ) {
        let code = violation.rule.closeCode
        if isOpen {
            effects.append(.transmit(OutboundFrame(opcode: .close, bytes: CloseFrame(code: code).payload)))
        }
        let closure = WebSocketClosure(code: code, initiator: .local, isClean: false)
        end(closure, error: WebSocketError(violation: violation.rule, closure: closure), &effects)
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
