import ChatServerCore
import ChatWire
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// All methods run on the thread pool, most of them with the lock held.
extension ChatServerDriver {
    /// Registers a socket's output and reports the socket to the core.
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

    /// Passes an event to the core and executes its effects.
    func takeBlocking(_ event: ServerEvent) -> TurnOutcome {
        state.withLock { state in
            if case .disconnected(let id) = event { state.outlets.removeValue(forKey: id)?.finish() }
            guard !state.isBroken, !state.isStopped else { return TurnOutcome() }
            return handle(event, &state)
        }
    }

    func handle(_ event: ServerEvent, _ state: inout State) -> TurnOutcome {
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
                    // No client has seen effects of this turn, and none will be sent.
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
            case .answerDesk(_, let answer): outcome.desk = answer
            case .tellDesks(let events): tellDesks(events, &state)
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
            // A peer that does not read is disconnected, because omitting a frame would break the order.
            outlet.finish()
            state.outlets[id] = nil
        }
    }

    /// Ends all sockets with a reason.
    func endAll(_ end: SocketEnd, _ state: inout State) {
        for outlet in state.outlets.values {
            outlet.yield(.close(end))
            outlet.finish()
        }
        state.outlets = [:]
        for seat in Array(state.desks.keys) { Self.endDesk(seat, .stopping, &state) }
    }

    /// The state in memory is ahead of the disk. All sockets end, and the state is restored from the disk.
    private func recover(from error: ChatDevServerError, _ state: inout State) {
        logger.error("The chat server's database failed", metadata: ["error": "\(error)"])
        endAll(.storeFailed, &state)
        do {
            state.core = state.core.restarted(with: try store.restore())
        } catch {
            logger.error("The chat server cannot continue", metadata: ["error": "\(error)"])
            state.isBroken = true
        }
    }

    // MARK: Time

    /// Sets the timer to the core's next wake-up time, if it has one.
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
                // Clear the timer first: otherwise a slightly early wake-up would leave it set.
                if state.timer?.due == due { state.timer = nil }
            }
            _ = self.takeBlocking(.woke)
        }
    }
}
