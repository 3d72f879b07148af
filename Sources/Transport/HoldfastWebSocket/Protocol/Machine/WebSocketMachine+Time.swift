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
