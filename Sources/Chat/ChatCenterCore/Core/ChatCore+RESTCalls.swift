import ChatWire

// REST calls: starts them and routes their answers.
extension ChatCore {
    /// Starts a call for the authorized user, or for a user who logged out.
    mutating func call(_ request: RESTRequest, for purpose: PendingCall.Purpose, _ update: inout CoreUpdate) {
        guard let account = purpose.farewell?.account ?? session.account else { return }
        let id = CallID(numbers.next())
        calls.began(id, for: purpose, account.credentials)
        update.emit(.network(.call(id, RESTCall(request, for: account))))
    }

    mutating func requestConfiguration(_ update: inout CoreUpdate) {
        guard mayCall, !calls.contains(.configuration) else { return }
        let request = RESTRequest.configuration(appMarker: settings.appMarker, apiVersion: settings.apiVersion)
        call(request, for: .configuration, &update)
    }

    /// Requests the configuration unless it was received since the user was authorized, and in any case if the outcome
    /// of `authorize` waits for it: an earlier request can have failed because of its token.
    mutating func requestMissingConfiguration(_ update: inout CoreUpdate) {
        if !configurator.isFetched || session.awaitsConfiguration { requestConfiguration(&update) }
    }

    mutating func answered(_ id: CallID, _ result: Result<RESTAnswer, TransportFailure>, _ update: inout CoreUpdate) {
        guard let call = calls.take(id) else {
            update.log(.rest, "dropped the answer to call \(id.number), which was cancelled or is unknown")
            return
        }
        if call.purpose.farewell == nil, case .success(let answer) = result, !answer.isRefusal {
            session.tokenWorked(call.credentials)
        }
        switch (call.purpose, result) {
        case (.farewell(let run), _):
            perform(
                farewells.answered(
                    run, isDeleted: result == .success(.deviceDeleted), currentUser: session.clientID,
                    reported: calls.reportedFarewells), &update)
        case (.configuration, .success(.configuration(let answer))):
            perform(configurator.arrived(answer), &update)
            perform(session.progressed(configuration: .some(nil)), &update)
        case (_, .failure(let failure)): callFailed(call, failure, &update)
        case (let purpose, .success(let answer)):
            if let actions = conversation.answered(purpose, answer, conditions(update)) {
                perform(actions, &update)
            } else {
                callFailed(call, answer.failure, &update)
            }
        }
    }

    private mutating func callFailed(
        _ call: PendingCall, _ failure: TransportFailure, _ update: inout CoreUpdate
    ) {
        guard let kind = call.purpose.problemKind else { return }
        update.log(.error, "the \(kind.rawValue) call failed: \(failure.logged)")
        update.emit(.notify(.networkProblem(.call(kind, failure))))
        // The token was refused, but it has been or will be replaced. The chat repeats its own calls with the next
        // token. Calls of the host application fail with this failure.
        let isAskedAgain =
            failure.isUnauthorized && tokenRefused(call.credentials, failure.unauthorizedRefusal, &update)
        switch call.purpose {
        case .configuration where isAskedAgain: requestConfiguration(&update)
        case .configuration:
            let isWanted = isForeground && (presence.isLooking || socket.isReady)
            configurator.failed(failure, isWanted: isWanted, at: update.now, entropy: &update.entropy)
            perform(session.progressed(configuration: .some(failure)), &update)
        case .gap, .older, .unreadPoll, .unreadQuestion, .search, .context, .farewell:
            let actions = conversation.failed(
                call.purpose, failure, isAskedAgain: isAskedAgain, conditions(update), entropy: &update.entropy)
            perform(actions, &update)
        }
    }

    /// Cancels the user's calls and fails them for their callers. Calls that report a logout continue.
    mutating func cancelCalls(_ update: inout CoreUpdate) {
        perform(conversation.cancel(calls.takeAllOfUser()), &update)
    }
}

extension RESTAnswer {
    fileprivate var isRefusal: Bool {
        if case .refused = self { true } else { false }
    }

    /// The failure, if this is not the expected answer.
    fileprivate var failure: TransportFailure {
        switch self {
        case .refused(let status, let refusal, let retryAfter):
            TransportFailure(
                .refused, status: status, refusal: refusal.map { ServerRefusal($0) },
                retryAfterMilliseconds: retryAfter)
        case .unreadable(let error): TransportFailure(.malformedAnswer, explanation: error.description)
        default: TransportFailure(.malformedAnswer, explanation: "the answer belongs to another call")
        }
    }
}
