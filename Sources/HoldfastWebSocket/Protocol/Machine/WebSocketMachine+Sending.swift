extension WebSocketMachine {
    /// The frames of a message, to be sent in order; `nil`: the connection is closed or closing.
    package func send(_ message: WebSocketMessage) -> [OutboundFrame]? {
        guard isOpen else { return nil }
        let opcode: FrameOpcode
        let payload: OutboundFrame.Payload
        switch message {
        case .text(let text): (opcode, payload) = (.text, .text(text))
        case .binary(let bytes): (opcode, payload) = (.binary, .bytes(bytes[...]))
        }
        guard let size = settings.fragmentSize, payload.count > size else {
            return [OutboundFrame(opcode: opcode, payload: payload)]
        }
        var rest =
            switch payload {
            case .text(let text): Array(text.utf8)[...]
            case .bytes(let bytes): bytes
            }
        var frames: [OutboundFrame] = []
        while !rest.isEmpty {
            let piece = rest.prefix(size)
            rest = rest.dropFirst(size)
            frames.append(
                OutboundFrame(
                    isFinal: rest.isEmpty, opcode: frames.isEmpty ? opcode : .continuation, payload: .bytes(piece)))
        }
        return frames
    }

    /// What came of the wish to send a ping.
    package enum PingOutcome: Hashable, Sendable {
        case sent(PingID, OutboundFrame)
        case tooMany
        case closed
    }

    /// Sends a ping whose pong is waited for.
    package mutating func ping(at now: WebSocketInstant) -> PingOutcome {
        guard isOpen else { return .closed }
        guard pings.count < WebSocketLimits.pendingPings else { return .tooMany }
        let id = PingID(nextPing)
        nextPing &+= 1
        pings.append(PendingPing(id: id, sentAt: now))
        return .sent(id, OutboundFrame(opcode: .ping, bytes: id.payload))
    }

    /// Nobody waits for the pong any more.
    package mutating func forget(_ id: PingID) {
        pings.removeAll { $0.id == id }
    }

    /// The socket takes bytes again, or has stopped to take them.
    package mutating func writabilityChanged(to isWritable: Bool) -> [MachineEffect] {
        self.isWritable = isWritable
        guard isWritable, isOpen, let payload = heldPong else { return [] }
        heldPong = nil
        return [.transmit(OutboundFrame(opcode: .pong, bytes: payload))]
    }
}
