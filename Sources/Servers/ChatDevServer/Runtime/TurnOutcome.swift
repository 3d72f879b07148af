import ChatServerCore

/// The core's answers to an event. If all are missing, the server has stopped or its store failed.
struct TurnOutcome: Sendable {
    /// The answer to a REST call.
    var answer: ServerAnswer?
    /// The answer to an upgrade request.
    var admission: UpgradeDecision?
    /// The answer to the operators' interface.
    var report: OperatorAnswer?
    /// The delay of the answer in nanoseconds.
    var stall: Int64 = 0
}
