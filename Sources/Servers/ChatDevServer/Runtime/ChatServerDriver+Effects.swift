import ChatServerCore
import ChatWire
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// All of this runs on the thread pool, and most of it under the lock.
extension ChatServerDriver {
    /// Registers a socket's outlet and tells the core of the socket.
    func open(_ id: ConnectionID, token: String?, _ outlet: AsyncStream<SocketOutput>.Continuation) {
        state.withLock { state in
            guard !state.isBroken, !state.isStopped else {
                outlet.yield(.close(state.isStopped ? .shuttingDown : .storeFailed))
                return outlet.finish()
            }
            state.outlets[id] = outlet
            _ = handle(.connected(id, token: token), &state)
        }
    }

    /// Hands an event to the core and carries out what follows.
    func takeBlocking(_ event: ServerEvent) -> TurnOutcome {
        state.withLock { state in
            if case .disconnected(let id) = event { state.outlets.removeValue(forKey: id)?.finish() }
            guard !state.isBroken, !state.isStopped else { return TurnOutcome() }
            return handle(event, &state)
        }
    }

    private func handle(_ event: ServerEvent, _ state: inout State) -> TurnOutcome {
        let files = state.core.configuration.attachmentSettings
        let effects = state.core.handle(event, at: clock.now(), entropy: entropy.next())
        let outcome = carryOut(effects, &state)
        if state.core.configuration.attachmentSettings != files {
            let rules = UploadRules(state.core.configuration.attachmentSettings)
            uploadRules.withLock { $0 = rules }
        }
        arm(&state)
        return outcome
    }

    private func carryOut(_ effects: [ServerEffect], _ state: inout State) -> TurnOutcome {
        var outcome = TurnOutcome()
        for effect in effects {
            switch effect {
            case .commit(let writes):
                do {
                    try store.commit(writes)
                } catch {
                    // Nobody has heard of this turn yet, and nobody will.
                    recover(from: error, &state)
                    return TurnOutcome()
                }
            case .send(let id, let frame):
                emit(.frame(frame.bytes), to: id, &state)
            case .close(let id, let reason):
                emit(.close(.core(reason)), to: id, &state)
                state.outlets.removeValue(forKey: id)?.finish()
            case .hangUp(let id, let code, let reason):
                emit(.close(.script(code: code, reason: reason)), to: id, &state)
                state.outlets.removeValue(forKey: id)?.finish()
            case .answer(_, let given): outcome.answer = given
            case .admit(_, let decision): outcome.admission = decision
            case .stall(_, let nanoseconds): outcome.stall = nanoseconds
            case .reportBack(_, let report): outcome.report = report
            case .present(let identity): state.present(identity)
            case .note(let note):
                logger.debug("Chat server", metadata: ["note": "\(note.rawValue)"])
            }
        }
        return outcome
    }

    private func emit(_ output: SocketOutput, to id: ConnectionID, _ state: inout State) {
        guard let outlet = state.outlets[id] else { return }
        if case .dropped = outlet.yield(output) {
            // A peer that does not read is cut: a frame left out would break the order.
            outlet.finish()
            state.outlets[id] = nil
        }
    }

    /// Says the last word on every socket.
    func endAll(_ end: SocketEnd, _ state: inout State) {
        for outlet in state.outlets.values {
            outlet.yield(.close(end))
            outlet.finish()
        }
        state.outlets = [:]
    }

    /// The memory is ahead of the disk: all sockets end, and the disk decides what has happened.
    private func recover(from error: ChatDevServerError, _ state: inout State) {
        logger.error("The chat server's database failed", metadata: ["error": "\(error)"])
        endAll(.storeFailed, &state)
        do {
            state.core = state.core.restarted(with: try store.restore())
        } catch {
            logger.error("The chat server cannot go on", metadata: ["error": "\(error)"])
            state.isBroken = true
        }
    }

    // MARK: Time

    /// Sees to it that the timer, if one is needed, is set to the core's next wake-up.
    private func arm(_ state: inout State) {
        let wake = state.core.nextWake
        guard wake != state.timer?.due else { return }
        state.timer?.scheduled.cancel()
        state.timer = wake.map { due in
            let delay = TimeAmount.nanoseconds(max(0, due - clock.now().monotonic))
            let scheduled = timerLoop.scheduleTask(in: delay) { self.wake(due) }
            return (due, scheduled)
        }
    }

    private func wake(_ due: Int64) {
        threads.submit { _ in
            self.state.withLock { state in
                // Otherwise a wake-up that comes a little early would be thought to be set still.
                if state.timer?.due == due { state.timer = nil }
            }
            _ = self.takeBlocking(.woke)
        }
    }
}
