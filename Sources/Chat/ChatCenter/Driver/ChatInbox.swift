import ChatCenterCore
import DequeModule
import Synchronization

/// What the engine has still to do, in the order in which threads handed it over.
final class ChatInbox: Sendable {
    enum Job: Sendable {
        case event(ChatEvent)
        case work(@Sendable (isolated ChatEngine) -> Void)
    }

    private struct State {
        var jobs: Deque<Job> = []
        var isScheduled = false
    }

    private let state = Mutex(State())

    /// Takes a job. Returns whether the caller has to see that somebody comes for it.
    func add(_ job: Job) -> Bool {
        state.withLock { state in
            state.jobs.append(job)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
    }

    /// The next job.
    func next() -> Job? {
        state.withLock { state in
            let job = state.jobs.popFirst()
            if job == nil { state.isScheduled = false }
            return job
        }
    }

    /// The frames that have arrived together, those at the head of the queue: what they change can be committed in one go.
    func nextFrames(atMost limit: Int) -> [ChatEvent] {
        state.withLock { state in
            var events: [ChatEvent] = []
            while events.count < limit, case .event(let event) = state.jobs.first, event.isFrame {
                events.append(event)
                state.jobs.removeFirst()
            }
            return events
        }
    }
}

extension ChatEvent {
    /// Whether a frame has arrived.
    var isFrame: Bool {
        if case .network(.received) = self { true } else { false }
    }
}
