package import HoldfastTransport

extension WebSocketMachine {
    /// Returns the frames of a message, to send in order, or `nil` if the connection is closed or closing.
    ///
    /// Do not call it while a message is being sent in pieces. Throws zlib's error; call ``failCompression(at:)`` then.
    package mutating func send(_ message: WebSocketMessage) throws(ZlibFailure) -> [OutboundFrame]? {
        guard canSend else { return nil }
        let opcode: FrameOpcode
        let payload: OutboundFrame.Payload
        switch message {
        case .text(let text): (opcode, payload) = (.text, .text(text))
        case .binary(let bytes): (opcode, payload) = (.binary, .bytes(bytes[...]))
        }
        if let deflate = settings.deflate, deflate.compresses(size: payload.count),
            let compressed = try compress(payload)
        {
            return split(.bytes(compressed[...]), opcode: opcode, isCompressed: true, isFinal: true)
        }
        return split(payload, opcode: opcode, isCompressed: false, isFinal: true)
    }

    /// Returns the frames of the next piece of a message, or `nil` if the connection is closed or closing.
    ///
    /// - Parameters:
    ///   - kind: The type of the message. All pieces of one message have the same type.
    ///   - isLast: Whether the message ends with this piece, which may then be empty.
    package mutating func send(
        piece payload: OutboundFrame.Payload, of kind: WebSocketPart.Kind, isLast: Bool
    ) throws(ZlibFailure) -> [OutboundFrame]? {
        guard canSend else { return nil }
        let isFirst = !isSendingPieces
        isSendingPieces = !isLast
        let opcode: FrameOpcode = !isFirst ? .continuation : kind == .text ? .text : .binary
        guard let deflate = settings.deflate, deflate.compressesPieces else {
            return split(payload, opcode: opcode, isCompressed: false, isFinal: isLast)
        }
        let compressed = try payload.withBytes { bytes in
            Result { () throws(ZlibFailure) in try deflater.compress(piece: bytes, isLast: isLast) }
        }.get()
        return split(.bytes(compressed[...]), opcode: opcode, isCompressed: isFirst, isFinal: isLast)
    }

    private mutating func compress(_ payload: OutboundFrame.Payload) throws(ZlibFailure) -> [UInt8]? {
        try payload.withBytes { bytes in
            Result { () throws(ZlibFailure) in try deflater.compress(bytes) }
        }.get()
    }

    /// Splits a payload into frames of the configured size.
    private func split(
        _ payload: OutboundFrame.Payload, opcode: FrameOpcode, isCompressed: Bool, isFinal: Bool
    ) -> [OutboundFrame] {
        guard let size = settings.fragmentSize, payload.count > size else {
            return [OutboundFrame(isFinal: isFinal, isCompressed: isCompressed, opcode: opcode, payload: payload)]
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
                    isFinal: isFinal && rest.isEmpty, isCompressed: isCompressed && frames.isEmpty,
                    opcode: frames.isEmpty ? opcode : .continuation, payload: .bytes(piece)))
        }
        return frames
    }

    /// The result of a request to send a ping.
    package enum PingOutcome: Hashable, Sendable {
        case sent(PingID, OutboundFrame)
        case tooMany
        case closed
    }

    /// Sends a ping and waits for its pong.
    package mutating func ping(at now: WebSocketInstant) -> PingOutcome {
        guard isOpen else { return .closed }
        guard pings.count < WebSocketLimits.pendingPings else { return .tooMany }
        let id = PingID(number: nextPing)
        nextPing &+= 1
        pings.append(PendingPing(id: id, sentAt: now))
        return .sent(id, OutboundFrame(opcode: .ping, bytes: id.payload))
    }

    /// Stops waiting for the pong.
    package mutating func forget(_ id: PingID) {
        pings.removeAll { $0.id == id }
    }

    /// Handles a change of the socket's writability.
    package mutating func writabilityChanged(to isWritable: Bool) -> [MachineEffect] {
        self.isWritable = isWritable
        guard isWritable, isOpen, let payload = heldPong else { return [] }
        heldPong = nil
        return [.transmit(OutboundFrame(opcode: .pong, bytes: payload))]
    }
}
