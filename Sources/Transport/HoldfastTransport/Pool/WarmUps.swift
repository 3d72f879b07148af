/// The calls that open connections in advance and wait for dials, under the lock of their pool.
struct WarmUps: Sendable {
    /// The result of one round of a call.
    enum Round: Sendable {
        /// The dials of the round have ended.
        ///
        /// `started` is the number of dials that the call started itself, `opened` the number of those that succeeded,
        /// and `failure` the first error of those that failed. A dial that found no permit has no error.
        case ended(started: Int, opened: Int, failure: TransportError?)
        /// No further connection is needed or permitted.
        case settled
        /// The client removed the pool.
        case elsewhere
        case shutDown
        case cancelled
    }

    /// The action after the beginning of a round.
    enum Step: Sendable {
        /// Start these dials. The round ends with the last of them.
        case start([(dial: DialID, cancellation: DialCancellation)])
        /// Other dials are in progress. The round ends with the last of them.
        case wait
        /// The round has ended.
        case over(Round)
    }

    /// A call whose round has ended.
    struct Ended: Sendable {
        fileprivate let continuation: CheckedContinuation<Round, Never>
        fileprivate let round: Round

        /// Continues the call. Must not be called under a lock.
        func resume() { continuation.resume(returning: round) }
    }

    private struct Call: Sendable {
        var pending: Set<DialID>
        let own: [DialID: DialCancellation]
        var opened = 0
        var failure: TransportError?
        let continuation: CheckedContinuation<Round, Never>

        var round: Round { .ended(started: own.count, opened: opened, failure: failure) }
    }

    private var calls: [RequestID: Call] = [:]

    /// Records the dials that a call waits for. `own` are those that it started itself.
    mutating func began(
        _ call: RequestID, waitingFor dials: [DialID], own: [DialID: DialCancellation] = [:],
        _ continuation: CheckedContinuation<Round, Never>
    ) {
        calls[call] = Call(pending: Set(dials), own: own, continuation: continuation)
    }

    /// Processes the end of a dial, or a wait of the dial that may take long. Returns the calls whose rounds have
    /// ended.
    mutating func ended(_ dial: DialID, isOpen: Bool = false, _ failure: TransportError? = nil) -> [Ended] {
        guard !calls.isEmpty else { return [] }
        var ended: [Ended] = []
        for id in calls.keys.sorted() {
            guard var call = calls[id], call.pending.remove(dial) != nil else { continue }
            if call.own[dial] != nil {
                if isOpen { call.opened += 1 }
                call.failure = call.failure ?? failure
            }
            calls[id] = call.pending.isEmpty ? nil : call
            if call.pending.isEmpty { ended.append(Ended(continuation: call.continuation, round: call.round)) }
        }
        return ended
    }

    /// Cancels a call. Returns its continuation, and the dials that it had started and that have not ended; `nil` if
    /// its round has ended.
    mutating func cancel(_ call: RequestID) -> (Ended, [DialCancellation])? {
        guard let call = calls.removeValue(forKey: call) else { return nil }
        let dials = call.pending.sorted().compactMap { call.own[$0] }
        return (Ended(continuation: call.continuation, round: .cancelled), dials)
    }
}
