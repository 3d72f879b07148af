import ChatServerCore
import NIOCore
import NIOPosix
import Synchronization

/// The streams of the operator desk.
extension ChatServerDriver {
    /// The maximum number of outputs that wait for a slow desk before its stream ends.
    static let deskOutputLimit = 256

    /// A stream that has begun.
    struct Following: Sendable {
        var seat: DeskSeat
        var missed: DeskCatchUp
        var output: AsyncStream<DeskOutput>
    }

    /// The output of a desk's stream.
    struct DeskOutlet {
        var session: String
        var continuation: AsyncStream<DeskOutput>.Continuation
        var beat: RepeatedTask
    }

    /// Begins a stream. The caller must call ``leaveDesk(_:)`` at its end. Returns `nil` if the server has stopped or
    /// all seats are taken.
    func followDesk(
        _ session: DeskSession, clientID: String?, after position: DeskPosition?, beat: Duration
    ) async -> Following? {
        let call = counters.nextCall()
        let seat = DeskSeat.stream(call.number, session: session.number)
        let (output, continuation) = AsyncStream.makeStream(
            of: DeskOutput.self, bufferingPolicy: .bufferingOldest(Self.deskOutputLimit))
        let interval = TimeAmount(beat)
        let task = timerLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
            continuation.yield(.beat)
        }
        continuation.onTermination = { _ in task.cancel() }
        let outlet = DeskOutlet(session: session.number, continuation: continuation, beat: task)
        let missed = await onPool { () -> DeskCatchUp? in
            self.state.withLock { state in
                guard !state.isBroken, !state.isStopped else { return nil }
                // The outlet comes first, so that no event is missed between the answer and the stream.
                state.desks[seat] = outlet
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
            continuation.finish()
            // The task may have been cancelled after the seat was taken.
            leaveDesk(seat)
            return nil
        }
        return Following(seat: seat, missed: missed, output: output)
    }

    /// Ends a stream. Returns immediately, also in a cancelled task.
    func leaveDesk(_ seat: DeskSeat) {
        let call = counters.nextCall()
        threads.submit { _ in
            self.state.withLock { state in
                state.desks.removeValue(forKey: seat)?.continuation.finish()
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
                for (seat, outlet) in state.desks where outlet.session == session {
                    outlet.continuation.yield(.ended(.signedOut))
                    outlet.continuation.finish()
                    state.desks[seat] = nil
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
        for (seat, outlet) in state.desks {
            guard case .dropped = outlet.continuation.yield(.events(events)) else { continue }
            outlet.continuation.finish()
            state.desks[seat] = nil
        }
    }
}

/// An output of a desk's stream.
enum DeskOutput: Hashable, Sendable {
    case events([DeskEvent])
    /// The server is alive.
    case beat
    case ended(DeskEnd)
}

/// Why the server ends a desk's stream. The raw value is used in pages.
enum DeskEnd: String, Hashable, Sendable {
    case signedOut
    case stopping
    case full
}
