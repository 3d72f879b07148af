import ChatWire

/// A logout that is being reported to the server. The user's data is already erased from this device. The first attempt
/// uses the socket, all later attempts use REST.
struct FarewellRun: Hashable, Sendable {
    /// The `logout` call that waits for the outcome.
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

    /// The largest number of attempts over REST. After that, the logout is not reported any more.
    static let mostTries = 20
}

/// A state machine that reports logouts to the server. It reports one at a time on the socket. Logouts that failed
/// there are reported over REST when the conditions change, without a timer.
struct FarewellMachine: Hashable, Sendable {
    /// The largest number of logouts that wait for their next attempt. Above it, the oldest one is dropped, and an
    /// error is logged.
    static let longestList = 4
    /// The time limit for a logout on the socket, in milliseconds. The next user's socket waits at most this long.
    static let time: Int64 = 5000

    /// The logout that is being reported on the socket.
    private(set) var run: FarewellRun?
    /// Logouts that could not be reported yet; at most `longestList`.
    private var pending: [FarewellRun] = []

    // MARK: On the socket

    /// Starts to report a logout. The user's data is already erased, and no user is authorized. If no socket may be
    /// used, the logout is reported later.
    mutating func start(_ run: FarewellRun, mayUseSocket: Bool, isSocketReady: Bool) -> [CoreAction] {
        self.run = run
        guard mayUseSocket else { return end(.localOnlyPending, currentUser: nil) }
        if isSocketReady { return introduced() }
        // A handshake that began for the user would continue with that user's identity. Therefore a new socket is
        // opened.
        return [.disconnect, .resumeSocket]
    }

    /// Reports the logout on the socket, which is ready for it.
    func introduced() -> [CoreAction] { run == nil ? [] : [.say(.clientOffline, for: .farewell)] }

    /// Records the address that the server assigned to the device that logs out.
    mutating func registered(_ deviceAddress: String) { run?.farewell.deviceAddress = deviceAddress }

    /// Ends the attempt on the socket when its time is over.
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
            // The same user may already be authorized again and own the store; the row describes the earlier session.
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

    /// Drops the unreported logouts of a user who returned, and deletes the stored row.
    mutating func cameBack(_ clientID: String, hasRow: Bool) -> [CoreAction] {
        pending.removeAll { $0.farewell.clientID == clientID }
        return hasRow && run?.farewell.clientID != clientID ? [.removeFarewell(of: clientID)] : []
    }

    /// Handles an unreported logout from the store of an earlier process. It contains no token, so the report is sent
    /// without one.
    ///
    /// - Parameter reported: The users whose logouts are being reported over REST.
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

    /// Reports pending logouts to the server: on the return to the foreground, after a network change and at the start
    /// of a process. Only REST is used, because no socket may be open for a user who logged out.
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

    /// Handles the answer to a report. After a failure, the report is retried later.
    mutating func answered(
        _ run: FarewellRun, isDeleted: Bool, currentUser: String?, reported: [String]
    ) -> [CoreAction] {
        let clientID = run.farewell.clientID
        // The user logged in and out again: the stored row belongs to the newer logout.
        guard !isLeaving(clientID, reported: reported) else { return [] }
        if isDeleted { return [.removeFarewell(of: clientID)] }
        guard currentUser != clientID else { return [] }
        return [.log(.error, "could not report a logout to the server; it is retried later")] + putOff(run)
    }

    /// Returns whether a logout of this user is still unreported.
    private func isLeaving(_ clientID: String, reported: [String]) -> Bool {
        run?.farewell.clientID == clientID || pending.contains { $0.farewell.clientID == clientID }
            || reported.contains(clientID)
    }

    /// Keeps a logout for a later attempt. The list and the number of attempts are limited. A server that never
    /// receives the report detects the logout when pushes to the device fail.
    private mutating func putOff(_ run: FarewellRun) -> [CoreAction] {
        guard run.tries < FarewellRun.mostTries else {
            return [
                .log(.error, "gave up reporting a logout to the server after \(run.tries) attempts"),
                .removeFarewell(of: run.farewell.clientID),
            ]
        }
        pending.append(run)
        guard pending.count > Self.longestList else { return [] }
        let oldest = pending.removeFirst()
        return [
            .log(.error, "too many unreported logouts; the oldest one is dropped"),
            .removeFarewell(of: oldest.farewell.clientID),
        ]
    }
}

/// A logout that the server has not confirmed. It tells the server to detach the device from the user. It contains no
/// token. A store may write it as JSON.
package struct Farewell: Hashable, Sendable, Codable {
    package var clientID: String
    package var deviceAddress: String

    package init(clientID: String, deviceAddress: String) {
        self.clientID = clientID
        self.deviceAddress = deviceAddress
    }
}
