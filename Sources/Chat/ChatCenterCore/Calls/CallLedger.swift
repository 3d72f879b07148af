import ChatWire

/// A REST call in progress, with the purpose of its answer.
struct PendingCall: Hashable, Sendable {
    enum Purpose: Hashable, Sendable {
        case configuration
        case gap
        case older
        case unreadPoll
        case unreadQuestion(Ticket)
        case search(SearchRequest)
        case context(ContextRequest)
        /// Reports a logout with the credentials of the user who logged out.
        case farewell(FarewellRun)

        /// The logout that the call reports.
        var farewell: FarewellRun? {
            if case .farewell(let run) = self { run } else { nil }
        }
    }

    var id: CallID
    var purpose: Purpose
    /// The credentials that the call was made with. A refusal applies to these, even if they were replaced since.
    var credentials: WireCredentials
}

/// The REST calls in progress.
struct CallLedger: Hashable, Sendable {
    private var calls: [PendingCall] = []

    /// The client ids of users whose logouts are being reported.
    var reportedFarewells: [String] { calls.compactMap { $0.purpose.farewell?.farewell.clientID } }

    /// Returns whether a call for this purpose is in progress.
    func contains(_ purpose: PendingCall.Purpose) -> Bool { calls.contains { $0.purpose == purpose } }

    mutating func began(_ id: CallID, for purpose: PendingCall.Purpose, _ credentials: WireCredentials) {
        calls.append(PendingCall(id: id, purpose: purpose, credentials: credentials))
    }

    /// Removes and returns the call that was answered; `nil` if the call is unknown.
    mutating func take(_ id: CallID) -> PendingCall? {
        calls.firstIndex { $0.id == id }.map { calls.remove(at: $0) }
    }

    /// Removes and returns the calls of the authorized user. Calls that report a logout continue.
    mutating func takeAllOfUser() -> [PendingCall] { take { $0.farewell == nil } }

    /// Removes and returns the calls for pages of the search on the screen with this number.
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
    /// The call's kind in the public API; `nil` for a call that reports a logout.
    var problemKind: NetworkProblem.Call? {
        switch self {
        case .farewell: nil
        case .configuration: .configuration
        case .gap, .older, .context: .history
        case .unreadPoll, .unreadQuestion: .unread
        case .search: .search
        }
    }
}
