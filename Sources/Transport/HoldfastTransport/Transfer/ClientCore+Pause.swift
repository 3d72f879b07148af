import NIOCore

extension ClientCore {
    /// Waits by the event loops' clock, at most until a deadline. Throws `cancelled` if the task is cancelled, and
    /// `timedOut` at the deadline.
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

    /// Returns the time until a deadline; `nil` without a deadline. Throws `timedOut` if the deadline has passed.
    func remaining(until deadline: NIODeadline?) throws(TransportError) -> Duration? {
        guard let deadline else { return nil }
        let left = deadline - now
        guard left > .zero else { throw TransportError(.timedOut, in: .total, "The transfer's total timeout expired.") }
        return .nanoseconds(left.nanoseconds)
    }
}
