import NIOCore

extension ClientCore {
    /// Waits by the event loops' clock, no longer than until a deadline. Throws `cancelled` when the task is, and `timedOut` at the
    /// deadline.
    func pause(_ duration: Duration, until deadline: NIODeadline?) async throws(TransportError) {
        let timer = schedule(after: min(duration, try remaining(until: deadline) ?? duration)) {}
        do {
            try await withTaskCancellationHandler {
                try await timer.futureResult.get()
            } onCancel: {
                timer.cancel()
            }
        } catch {
            throw TransportError(.cancelled, in: .waiting, "The task was cancelled.")
        }
    }

    /// The time that is left until a deadline; `nil` where there is none. Throws `timedOut` where none is left.
    func remaining(until deadline: NIODeadline?) throws(TransportError) -> Duration? {
        guard let deadline else { return nil }
        let left = deadline - now
        guard left > .zero else { throw TransportError(.timedOut, in: .total, "The transfer's total time is up.") }
        return .nanoseconds(left.nanoseconds)
    }
}
