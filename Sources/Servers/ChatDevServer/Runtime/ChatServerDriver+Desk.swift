import ChatServerCore
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// The streams of the operator desk.
extension ChatServerDriver {
    /// A stream that has begun.
    struct Following: Sendable {
        var seat: DeskSeat
        var missed: DeskCatchUp
        var outlet: DeskOutlet
    }

    /// An open stream.
    struct OpenDesk {
        var session: String
        var outlet: DeskOutlet
        var beat: RepeatedTask
    }

    /// Begins a stream. The caller must call ``leaveDesk(_:)`` at its end. Returns `nil` if the server has stopped or
    /// all seats are taken.
    func followDesk(
        _ session: DeskSession, clientID: String?, after position: DeskPosition?, beat: Duration,
        limits: DeskOutlet.Limits
    ) async -> Following? {
        let call = counters.nextCall()
        let seat = DeskSeat.stream(call.number, session: session.number)
        let outlet = DeskOutlet(limits: limits)
        let interval = TimeAmount(beat)
        let task = timerLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
            if !outlet.push(.beat) { self.dropDesk(seat) }
        }
        let desk = OpenDesk(session: session.number, outlet: outlet, beat: task)
        let missed = await onPool { () -> DeskCatchUp? in
            self.state.withLock { state in
                guard !state.isBroken, !state.isStopped else { return nil }
                // The outlet comes first, so that no event is missed between the answer and the stream.
                state.desks[seat] = desk
                let request = DeskRequest.follows(seat, session.operator, clientID: clientID, after: position)
                let outcome = self.handle(.deskCalled(call, request), &state)
                guard case .missed(let missed)? = outcome.desk else {
                    state.desks[seat] = nil
                    return nil
                }
                return missed
            }
        }
        guard let missed = missed ?? nil else {
            task.cancel()
            outlet.close()
            // The task may have been cancelled after the seat was taken.
            leaveDesk(seat)
            return nil
        }
        return Following(seat: seat, missed: missed, outlet: outlet)
    }

    /// Ends a stream. Returns immediately, also in a cancelled task.
    func leaveDesk(_ seat: DeskSeat) {
        let call = counters.nextCall()
        threads.submit { _ in
            self.state.withLock { state in
                Self.endDesk(seat, nil, &state)
                guard !state.isBroken, !state.isStopped else { return }
                _ = self.handle(.deskCalled(call, .leaves(seat)), &state)
            }
        }
    }

    /// Ends all streams of a session that has signed out, and frees its page.
    func endDesks(of session: String) async {
        // The lock is held while the database is written, so no task may wait for it. A cancelled task ends the streams
        // as well.
        threads.submit { _ in
            self.state.withLock { state in
                for (seat, desk) in state.desks where desk.session == session {
                    Self.endDesk(seat, .signedOut, &state)
                }
            }
        }
        _ = await askDesk(.leaves(.page(session: session)))
    }

    /// Returns the answer to a request of the desk; `nil` if the server has stopped.
    func askDesk(_ request: DeskRequest) async -> DeskAnswer? {
        await take(.deskCalled(counters.nextCall(), request)).desk
    }

    /// Sends events to all streams. A stream that is too slow ends: its page connects again and resumes, because
    /// omitting an event would leave a gap.
    func tellDesks(_ events: [DeskEvent], _ state: inout State) {
        guard !state.desks.isEmpty else { return }
        let output = DeskOutput(events)
        for (seat, desk) in state.desks where !desk.outlet.push(output) { dropDesk(seat) }
    }

    /// Ends the stream of a desk that reads too slowly, and frees its seat. Returns immediately.
    private func dropDesk(_ seat: DeskSeat) {
        logger.notice("A desk's stream ended", metadata: ["reason": "\(DeskEnd.tooSlow.rawValue)"])
        leaveDesk(seat)
    }

    /// Ends a stream, with a reason for its page if there is one. The seat stays taken.
    static func endDesk(_ seat: DeskSeat, _ end: DeskEnd?, _ state: inout State) {
        guard let desk = state.desks.removeValue(forKey: seat) else { return }
        desk.beat.cancel()
        if let end { _ = desk.outlet.push(.ended(end)) }
        desk.outlet.close()
    }
}
