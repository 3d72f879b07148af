import ChatCenterCore
import ChatWire
import DequeModule

/// The engine's queue of jobs, in the order in which threads added them.
final class ChatInbox: Sendable {
    enum Job: Sendable {
        case event(ChatEvent)
        case work(@Sendable (isolated ChatEngine) -> Void)
    }

    private struct State {
        var jobs: Deque<Job> = []
        /// The number of jobs that were added, and the number that were taken.
        var added: UInt64 = 0
        var taken: UInt64 = 0
        /// Whether a scheduled block of the executor will take the next job.
        var isScheduled = false

        mutating func append(_ job: Job) {
            jobs.append(job)
            added += 1
        }

        /// Returns whether a block must be scheduled now.
        mutating func schedules() -> Bool {
            guard !jobs.isEmpty, !isScheduled else { return false }
            isScheduled = true
            return true
        }
    }

    /// The maximum number of messages in frames that are committed together. Further frames are committed with the next
    /// group.
    private static let mostMessages = 200

    private let state = OrderedMutex(.inbox, State())

    /// Adds a job. Returns whether the caller must schedule a block for it.
    func add(_ job: Job) -> Bool {
        state.withLock { state in
            state.append(job)
            return state.schedules()
        }
    }

    /// Adds a job that the caller runs itself. Returns its number.
    func addAwaited(_ job: Job) -> UInt64 {
        state.withLock { state in
            state.append(job)
            return state.added
        }
    }

    /// Takes the next job.
    func next() -> Job? {
        state.withLock { state in
            guard let job = state.jobs.popFirst() else { return nil }
            state.taken += 1
            return job
        }
    }

    /// Returns whether the job with this number was taken.
    func hasTaken(_ number: UInt64) -> Bool { state.withLock { $0.taken >= number } }

    /// Called when the scheduled block is done. Returns whether another one must be scheduled.
    func blockEnded() -> Bool {
        state.withLock { state in
            state.isScheduled = false
            return state.schedules()
        }
    }

    /// Returns whether a block must be scheduled for the remaining jobs.
    func schedules() -> Bool { state.withLock { $0.schedules() } }

    /// Takes the frames at the head of the queue that arrived together with `first`, so that their changes can be
    /// committed together.
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
    /// Whether the event is a received frame.
    var isFrame: Bool {
        if case .network(.received) = self { true } else { false }
    }

    /// Whether the event is a page of the history. Its changes are many small commits, which one transaction can
    /// combine.
    var isHistory: Bool {
        if case .network(.answered(_, .success(.history))) = self { true } else { false }
    }

    /// The number of messages in the frame.
    fileprivate var messageCount: Int {
        if case .network(.received(_, let frame)) = self, case .messages(let messages) = frame.body {
            messages.count
        } else {
            1
        }
    }
}
