import ChatCenterCore
import ChatWire
import DequeModule

/// What the engine has still to do, in the order in which threads handed it over.
final class ChatInbox: Sendable {
    enum Job: Sendable {
        case event(ChatEvent)
        case work(@Sendable (isolated ChatEngine) -> Void)
    }

    private struct State {
        var jobs: Deque<Job> = []
        /// How many jobs were added, and how many were taken.
        var added: UInt64 = 0
        var taken: UInt64 = 0
        /// A block of the executor is on its way that takes the next job.
        var isScheduled = false

        mutating func append(_ job: Job) {
            jobs.append(job)
            added += 1
        }

        /// Whether a block has to be sent now.
        mutating func schedules() -> Bool {
            guard !jobs.isEmpty, !isScheduled else { return false }
            isScheduled = true
            return true
        }
    }

    /// The most messages in frames that are committed together.
    private static let mostMessages = 200

    private let state = OrderedMutex(.inbox, State())

    /// Takes a job. Returns whether the caller has to send a block for it.
    func add(_ job: Job) -> Bool {
        state.withLock { state in
            state.append(job)
            return state.schedules()
        }
    }

    /// Takes a job that the caller sees to. Returns its number.
    func addAwaited(_ job: Job) -> UInt64 {
        state.withLock { state in
            state.append(job)
            return state.added
        }
    }

    /// The next job.
    func next() -> Job? {
        state.withLock { state in
            guard let job = state.jobs.popFirst() else { return nil }
            state.taken += 1
            return job
        }
    }

    /// Whether the job of this number was taken.
    func hasTaken(_ number: UInt64) -> Bool { state.withLock { $0.taken >= number } }

    /// The block that was sent has done its part. Returns whether another one has to be sent.
    func blockEnded() -> Bool {
        state.withLock { state in
            state.isScheduled = false
            return state.schedules()
        }
    }

    /// Whether a block has to be sent for the jobs that are left.
    func schedules() -> Bool { state.withLock { $0.schedules() } }

    /// The frames that have arrived together with `first`, those at the head of the queue: what they change can be committed
    /// in one go.
    func nextFrames(after first: ChatEvent, atMost limit: Int) -> [ChatEvent] {
        state.withLock { state in
            var events = [first]
            var messages = first.messageCount
            while events.count < limit, case .event(let event) = state.jobs.first, event.isFrame {
                messages += event.messageCount
                guard messages <= Self.mostMessages else { break }
                events.append(event)
                state.jobs.removeFirst()
                state.taken += 1
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

    /// Whether a page of the history has arrived: its changes are many short commits, which one transaction can hold.
    var isHistory: Bool {
        if case .network(.answered(_, .success(.history))) = self { true } else { false }
    }

    /// The messages in the frame.
    fileprivate var messageCount: Int {
        if case .network(.received(_, let frame)) = self, case .messages(let messages) = frame.body {
            messages.count
        } else {
            1
        }
    }
}
