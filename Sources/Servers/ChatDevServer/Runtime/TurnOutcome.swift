import ChatServerCore

/// What the core answers to an event, where it answers it. Without any of it the server has stopped, or its store failed.
struct TurnOutcome: Sendable {
    /// To a call over HTTP.
    var answer: ServerAnswer?
    /// To a request for a socket.
    var admission: UpgradeDecision?
    /// To the operators' interface.
    var report: OperatorAnswer?
    /// Nanoseconds that the answer is to be late.
    var stall: Int64 = 0
}
