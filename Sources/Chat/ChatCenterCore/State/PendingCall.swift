import ChatWire

/// A REST call that is under way, and what its answer is for.
struct PendingCall: Hashable, Sendable {
    enum Purpose: Hashable, Sendable {
        case configuration
        case gap
        case older
        case unreadPoll
        case unreadQuestion(Ticket)
        case search(SearchRequest)
        /// Reports a logout with the credentials of the user who logged out.
        case farewell(FarewellRun)
    }

    var id: CallID
    var purpose: Purpose
    /// What the call was made with: its refusal speaks of these, not of what came since.
    var credentials: WireCredentials

    /// The logout that the call reports.
    var farewell: FarewellRun? {
        if case .farewell(let run) = purpose { run } else { nil }
    }
}
