import Synchronization

/// A check that many requests share. It runs at most once at a time and at most once a second, so that its cost does
/// not depend on the number of requests.
final class SharedCheck<Value: Sendable>: Sendable {
    /// How long a result is used, in nanoseconds.
    static var lifetime: Int64 { 1_000_000_000 }

    private struct State {
        var last: (value: Value, time: Int64)?
        var isRunning = false
        /// The requests that wait for the running check. The limit of connections bounds their number.
        var waiting: [CheckedContinuation<Value, Never>] = []
    }

    private enum Step {
        case use(Value)
        case run
        case wait
    }

    private let state = Mutex(State())

    /// Returns the result of the last check, if it is recent, or else of a new one.
    ///
    /// - Parameters:
    ///   - now: The time of a monotonic clock in nanoseconds.
    ///   - check: The check. It must end by itself.
    /// - Returns: The result, and whether the caller's own `check` made it.
    func value(at now: Int64, _ check: @Sendable () async -> Value) async -> (value: Value, isNew: Bool) {
        switch state.withLock({ Self.step(&$0, at: now) }) {
        case .use(let value): return (value, false)
        case .run:
            let value = await check()
            finish(value, at: now)
            return (value, true)
        case .wait:
            let value = await withCheckedContinuation { continuation in
                let value: Value? = state.withLock { state in
                    // The check may have ended in between.
                    if !state.isRunning, let last = state.last { return last.value }
                    state.waiting.append(continuation)
                    return nil
                }
                if let value { continuation.resume(returning: value) }
            }
            return (value, false)
        }
    }

    private static func step(_ state: inout State, at now: Int64) -> Step {
        if let last = state.last, now >= last.time, now - last.time < lifetime { return .use(last.value) }
        guard !state.isRunning else { return .wait }
        state.isRunning = true
        return .run
    }

    /// The result counts from the beginning of its check.
    private func finish(_ value: Value, at time: Int64) {
        let waiting = state.withLock { state in
            state.isRunning = false
            state.last = (value, time)
            let waiting = state.waiting
            state.waiting = []
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: value) }
    }
}
