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
    }

    var id: CallID
    var purpose: Purpose
    /// What the call was made with: its refusal speaks of these, not of what came since.
    var credentials: WireCredentials
}
