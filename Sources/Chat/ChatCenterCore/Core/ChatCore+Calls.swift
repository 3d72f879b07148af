import ChatWire

// REST calls: making them, and giving the answers to whom they belong.
extension ChatCore {
    /// Starts a call on behalf of the user who is authorized, or who logged out.
    mutating func call(
        _ request: RESTRequest, for purpose: PendingCall.Purpose, _ update: inout CoreUpdate
    ) {
        guard let account = purpose.farewell?.account ?? session.account else { return }
        let id = CallID(numbers.next())
        calls.began(id, for: purpose, account.credentials)
        update.emit(.network(.call(id, RESTCall(request, for: account))))
    }

    mutating func answered(_ id: CallID, _ result: Result<RESTAnswer, TransportFailure>, _ turn: inout CoreUpdate) {
        guard let call = calls.take(id) else {
            turn.log(.rest, "dropped the answer to call \(id.number), which nobody waits for")
            return
        }
        if let run = call.purpose.farewell {
            let isDeleted = if case .success(.deviceDeleted) = result { true } else { false }
            let user = session.clientID
            perform(
                farewells.answered(run, isDeleted: isDeleted, currentUser: user, reported: calls.reportedFarewells),
                &turn)
            return
        }
        let purpose = call.purpose
        let failure: TransportFailure
        if case .success(let answer) = result, !answer.isRefusal { session.tokenWorked(call.credentials) }
        switch (purpose, result) {
        case (.configuration, .success(.configuration(let answer))):
            perform(configurator.arrived(answer), &turn)
            perform(session.progressed(configuration: .some(nil)), &turn)
            return
        case (.gap, .success(.history(let answer))):
            perform(sync.arrived(answer), &turn)
            return
        case (.older, .success(.history(let answer))):
            perform(sync.olderArrived(answer), &turn)
            return
        case (.unreadPoll, .success(.unread(let answer))):
            perform(
                reading.pollAnswered(
                    answer.count, in: window, at: turn.now, serverClock, isLooking: presence.isLooking), &turn)
            return
        case (.unreadQuestion(let ticket), .success(.unread(let answer))):
            reading.counted(answer.count, in: window, at: turn.now, serverClock, isLooking: presence.isLooking)
            turn.emit(.notify(.unreadAnswer(ticket, .success(Int(clamping: max(0, answer.count))))))
            return
        case (.search(let request), .success(.search(let answer))):
            perform(search.answered(request, answer, in: window), &turn)
            return
        case (_, .failure(let reason)):
            failure = reason
        case (_, .success(.refused(let status, let refusal, let retryAfter))):
            failure = TransportFailure(
                .refused, status: status, refusal: refusal.map { ServerRefusal($0) },
                retryAfterMilliseconds: retryAfter)
        case (_, .success(.unreadable(let error))):
            failure = TransportFailure(.malformedAnswer, explanation: error.description)
        case (_, .success):
            failure = TransportFailure(.malformedAnswer, explanation: "the answer is to another call")
        }
        callFailed(call, failure, &turn)
    }

    private mutating func callFailed(
        _ call: PendingCall, _ failure: TransportFailure, _ turn: inout CoreUpdate
    ) {
        let purpose = call.purpose
        guard let kind = purpose.problemKind else { return }
        turn.log(.error, "the \(kind.rawValue) call failed: \(failure.logged)")
        turn.emit(.notify(.networkProblem(.call(kind, failure))))
        // Refused for a token that is, or is being, replaced: what the chat itself needs is asked again with the next
        // token, as if nothing had been said; whoever waits for an answer of his own gets this one.
        let isAskedAgain =
            failure.isUnauthorized && tokenRefused(call.credentials, failure.unauthorizedRefusal, &turn)
        switch purpose {
        case .configuration where isAskedAgain:
            requestConfiguration(&turn)
        case .gap where isAskedAgain:
            sync.tokenRefused()
        case .configuration:
            let isWanted = isForeground && (presence.isLooking || socket.isReady)
            configurator.failed(failure, isWanted: isWanted, at: turn.now, entropy: &turn.entropy)
            perform(session.progressed(configuration: .some(failure)), &turn)
        case .gap:
            let demand = SyncMachine.Demand(
                hasUnconfirmed: outbox.hasUnconfirmed(window), isWatched: socket.isReady || presence.isLooking)
            perform(sync.failed(failure, demand, at: turn.now, entropy: &turn.entropy), &turn)
        case .older: sync.olderFailed(failure)
        case .unreadPoll: reading.schedulePoll(at: turn.now)
        case .unreadQuestion(let ticket): turn.emit(.notify(.unreadAnswer(ticket, .failure(.transport(failure)))))
        case .search(let request): perform(search.failed(request, failure, searchConditions), &turn)
        case .farewell: break
        }
    }

    mutating func requestConfiguration(_ turn: inout CoreUpdate) {
        guard mayCall, !calls.contains(.configuration) else { return }
        call(.configuration(appMarker: settings.appMarker, apiVersion: settings.apiVersion), for: .configuration, &turn)
    }

    /// Asks for the configuration unless it came since the user was authorized.
    mutating func requestMissingConfiguration(_ turn: inout CoreUpdate) {
        if !configurator.isFetched { requestConfiguration(&turn) }
    }

    /// Cancels the user's calls, and tells their callers. Calls that report a logout go on.
    mutating func cancelCalls(_ turn: inout CoreUpdate) {
        let cancelled = calls.takeAllOfUser()
        perform(search.cancelStoreRequests(), &turn)
        sync.cancelled()
        for call in cancelled {
            turn.emit(.network(.cancel(.call(call.id))))
            supersede(call.purpose, &turn)
        }
    }

    /// Nobody will answer this call any more.
    mutating func supersede(_ purpose: PendingCall.Purpose, _ turn: inout CoreUpdate) {
        switch purpose {
        case .unreadQuestion(let ticket): turn.emit(.notify(.unreadAnswer(ticket, .failure(.superseded))))
        case .search(let request): perform(search.cancelled(request), &turn)
        case .configuration, .gap, .older, .unreadPoll, .farewell: break
        }
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

extension RESTAnswer {
    fileprivate var isRefusal: Bool {
        if case .refused = self { true } else { false }
    }
}
