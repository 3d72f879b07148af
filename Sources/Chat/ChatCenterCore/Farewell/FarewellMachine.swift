import ChatWire

/// A logout that is being reported to the server. The user's data is already erased from this device. The first attempt uses
/// the socket, all later ones use REST.
struct FarewellRun: Hashable, Sendable {
    /// Whoever waits for the outcome.
    var ticket: Ticket?
    var farewell: Farewell
    var user: UserIdentity
    var credentials: WireCredentials
    var deadline: Deadline
    /// The number of attempts over REST.
    var tries = 0

    var account: Account {
        Account(credentials: credentials, clientID: farewell.clientID, deviceAddress: farewell.deviceAddress)
    }

    /// After so many it is left at that.
    static let mostTries = 20
}

/// Reports logouts to the server, as a state machine: one at a time on the socket, and those that failed there over REST,
/// when the circumstances have changed. The latter case has no timer.
struct FarewellMachine: Hashable, Sendable {
    /// Logouts that wait for their next attempt.
    static let longestList = 4
    /// How long a logout may use a socket, in milliseconds. The next user's socket waits at most as long.
    static let time: Int64 = 5000

    /// The logout that is reported on the socket.
    private(set) var run: FarewellRun?
    /// Logouts of which the server could not be told; never more than `longestList`.
    private var pending: [FarewellRun] = []

    // MARK: On the socket

    /// The user's data is erased, and nobody is authorized. Where no socket may be used, the logout is reported later.
    mutating func start(_ run: FarewellRun, mayUseSocket: Bool, isSocketReady: Bool) -> [CoreAction] {
        self.run = run
        guard mayUseSocket else { return end(.localOnlyPending, currentUser: nil) }
        if isSocketReady { return introduced() }
        // A handshake begun for the user would continue with that user's identity: open a new socket, or none.
        return [.disconnect, .resumeSocket]
    }

    /// The socket can carry the farewell.
    func introduced() -> [CoreAction] { run == nil ? [] : [.say(.clientOffline, for: .farewell)] }

    /// The server gave the device that logs out an address.
    mutating func registered(_ deviceAddress: String) { run?.farewell.deviceAddress = deviceAddress }

    /// The logout's time on the socket is over.
    mutating func expire(at now: Moment, currentUser: String?) -> [CoreAction] {
        guard let run, run.deadline.hasPassed(now) else { return [] }
        return end(.localOnlyPending, currentUser: currentUser)
    }

    /// Ends the attempt on the socket, if there is one.
    mutating func end(_ outcome: LogoutOutcome, currentUser: String?) -> [CoreAction] {
        guard let run else { return [] }
        self.run = nil
        var actions: [CoreAction] = []
        switch outcome {
        case .server:
            // The same user may already be authorised again and own the store; the row describes the earlier session.
            actions.append(.removeFarewell(of: run.farewell.clientID))
        case .localOnlyPending:
            if currentUser != run.farewell.clientID { actions += putOff(run) }
        case .notAuthorized: break
        }
        actions.append(.disconnect)
        if let ticket = run.ticket { actions.append(.tellLoggedOut(ticket, outcome)) }
        return actions
    }

    // MARK: Later

    /// The user is back. What could not be told before is not told any more, and the store's row about it goes.
    mutating func cameBack(_ clientID: String, hasRow: Bool) -> [CoreAction] {
        pending.removeAll { $0.farewell.clientID == clientID }
        return hasRow && run?.farewell.clientID != clientID ? [.removeFarewell(of: clientID)] : []
    }

    /// A store of a past process holds a farewell. It has no token: the server is told without one, if it listens.
    /// `reported` are the users whose logouts are being reported over REST.
    mutating func found(
        _ farewell: Farewell, currentUser: String?, reported: [String], at now: Moment, mayReport: Bool
    ) -> [CoreAction] {
        guard !farewell.clientID.isEmpty, currentUser != farewell.clientID,
            !isLeaving(farewell.clientID, reported: reported)
        else { return [] }
        let actions = putOff(
            FarewellRun(
                ticket: nil, farewell: farewell, user: UserIdentity(clientID: farewell.clientID),
                credentials: WireCredentials(), deadline: now.after(milliseconds: 0)))
        return actions + (mayReport ? reportPending() : [])
    }

    /// Reports pending logouts to the server: on foreground, after a change of the network, and when a process starts. REST
    /// alone is used, because no socket may be open for a user who logged out.
    mutating func reportPending() -> [CoreAction] {
        let runs = pending
        pending = []
        return runs.map { run in
            var run = run
            run.ticket = nil
            run.tries += 1
            return .call(.deleteDevice, for: .farewell(run))
        }
    }

    /// Handles the answer to a report: on failure the report is retried later.
    mutating func answered(
        _ run: FarewellRun, isDeleted: Bool, currentUser: String?, reported: [String]
    ) -> [CoreAction] {
        let clientID = run.farewell.clientID
        // The user logged in and out again: the stored row belongs to the newer logout.
        guard !isLeaving(clientID, reported: reported) else { return [] }
        if isDeleted { return [.removeFarewell(of: clientID)] }
        guard currentUser != clientID else { return [] }
        return [.log(.error, "the server could not be told of a logout; it is tried again later")] + putOff(run)
    }

    /// Whether a logout of this user still has to be reported to the server.
    private func isLeaving(_ clientID: String, reported: [String]) -> Bool {
        run?.farewell.clientID == clientID || pending.contains { $0.farewell.clientID == clientID }
            || reported.contains(clientID)
    }

    /// Keeps what could not be told for later. The list and the tries have an end: a server that never hears of it
    /// finds out when the device's pushes come back.
    private mutating func putOff(_ run: FarewellRun) -> [CoreAction] {
        guard run.tries < FarewellRun.mostTries else {
            return [
                .log(.error, "the server could not be told of a logout after \(run.tries) tries; it is left at that"),
                .removeFarewell(of: run.farewell.clientID),
            ]
        }
        pending.append(run)
        guard pending.count > Self.longestList else { return [] }
        let oldest = pending.removeFirst()
        return [
            .log(.error, "too many logouts wait for the server; the oldest one is given up"),
            .removeFarewell(of: oldest.farewell.clientID),
        ]
    }
}
