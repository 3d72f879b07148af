import NIOCore

extension ClientCore {
    /// Waits by the event loops' clock. Throws `cancelled` when the task is.
    func pause(_ duration: Duration) async throws(TransportError) {
        let timer = schedule(after: duration) {}
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
