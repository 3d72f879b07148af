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

        /// The logout that the call reports.
        var farewell: FarewellRun? {
            if case .farewell(let run) = self { run } else { nil }
        }
    }

    var id: CallID
    var purpose: Purpose
    /// What the call was made with: its refusal speaks of these, not of what came since.
    var credentials: WireCredentials
}

/// The REST calls that are under way.
struct CallLedger: Hashable, Sendable {
    private var calls: [PendingCall] = []

    /// Users whose logouts are being reported.
    var reportedFarewells: [String] { calls.compactMap { $0.purpose.farewell?.farewell.clientID } }

    /// A call for this purpose is under way.
    func contains(_ purpose: PendingCall.Purpose) -> Bool { calls.contains { $0.purpose == purpose } }

    mutating func began(_ id: CallID, for purpose: PendingCall.Purpose, _ credentials: WireCredentials) {
        calls.append(PendingCall(id: id, purpose: purpose, credentials: credentials))
    }

    /// Returns the call that was answered; `nil` if nobody waits for the answer.
    mutating func take(_ id: CallID) -> PendingCall? {
        calls.firstIndex { $0.id == id }.map { calls.remove(at: $0) }
    }

    /// Returns the calls of the user who is authorized, for which nobody waits any longer. Calls that report a logout go on.
    mutating func takeAllOfUser() -> [PendingCall] { take { $0.farewell == nil } }

    /// Returns the calls for pages of the search on the screen with this number, for which nobody waits any longer.
    mutating func takeSearches(onScreen number: UInt64) -> [PendingCall] {
        take { purpose in
            if case .search(let request) = purpose { request.asker == .screen(number) } else { false }
        }
    }

    private mutating func take(where isTaken: (PendingCall.Purpose) -> Bool) -> [PendingCall] {
        let taken = calls.filter { isTaken($0.purpose) }
        calls.removeAll { isTaken($0.purpose) }
        return taken
    }
}

extension PendingCall.Purpose {
    /// The call's kind in the public API; `nil` for a call on behalf of a user who logged out.
    var problemKind: NetworkProblem.Call? {
        switch self {
        case .farewell: nil
        case .configuration: .configuration
        case .gap, .older: .history
        case .unreadPoll, .unreadQuestion: .unread
        case .search: .search
        }
    }
}
