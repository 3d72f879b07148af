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
