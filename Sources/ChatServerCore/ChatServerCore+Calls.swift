import ChatWire
import OrderedCollections

extension ChatServerCore {
    /// The answer to a REST call.
    mutating func answer(to request: RESTRequest, from caller: Caller, _ turn: inout Turn) -> ServerAnswer {
        if case .failCall(let status, let failure)? = takeCallFault() {
            turn.note(.fault)
            return .failure(status: status, failure)
        }
        if let refusal = access.refusal(of: caller.token) { return .failure(status: 401, refusal) }
        if case .configuration = request { return .configuration(configuration(at: turn.now)) }
        guard caller.clientID != nil || caller.deviceAddress != nil else {
            return .failure(status: 400, WireFailure("client.missing"))
        }
        // A client or a device that the server does not know (any more) has no messages.
        let client = client(of: caller)
        let log = client?.log ?? MessageLog()
        switch request {
        case .configuration:
            return .configuration(configuration(at: turn.now))
        case .history(let request):
            return .history(history(request, log, hasOperator: client?.record.hasOperator ?? false))
        case .unread:
            return .unread(UnreadAnswer(count: Int64(log.unreadCount)))
        case .search(let query, let page, let size):
            return search(query, page: page, size: size, log)
        }
    }

    /// Whose history it is. The device address wins; the client id counts where there is none, or an unknown one.
    private func client(of caller: Caller) -> ClientState? {
        let owner = caller.deviceAddress.flatMap { clientIDsByAddress[$0] }
        return (owner ?? caller.clientID).flatMap { clients[$0] }
    }

    private func configuration(at now: ServerMoment) -> ConfigurationAnswer {
        var answer = settings.configuration
        answer.schedule = currentSchedule(at: now)
        return answer
    }

    private func history(_ request: HistoryRequest, _ log: MessageLog, hasOperator: Bool) -> HistoryAnswer {
        let count = Int(min(max(1, request.count), Int64(settings.limits.historyCount)))
        let messages = log.page(request.bound, count: count).map(\.historyContent)
        return HistoryAnswer(
            messages: messages, agentInfo: hasOperator ? `operator`.wireObject : nil,
            allowedToSendMessages: isSendingAllowed)
    }

    /// Without a schedule sending is allowed.
    private var isSendingAllowed: Bool {
        guard let schedule = settings.configuration.schedule else { return true }
        return schedule.active ?? true || schedule.sendDuringInactive ?? false
    }

    private func search(_ query: String, page: Int64, size: Int64, _ log: MessageLog) -> ServerAnswer {
        guard isAcceptable(query) else { return .failure(status: 400, WireFailure("search.query-too-long")) }
        let size = min(max(1, size), Int64(settings.limits.searchSize))
        let hits = log.search(query)
        let total = Int64(hits.count)
        // Pages beyond the last are empty; the comparison comes first so that no page number can overflow.
        let pages = (total + size - 1) / size
        let page = max(0, page)
        let offset = page < pages ? page * size : total
        return .search(
            SearchAnswer(
                total: total, pages: pages,
                content: hits.dropFirst(Int(offset)).prefix(Int(size)).map(\.historyContent),
                page: SearchAnswer.Page(offset: offset, size: size, number: page)))
    }
}

extension Operator {
    /// The operator as the history names him.
    fileprivate var wireObject: JSONObject? {
        Content(.message, operator: self).json.objectValue?["operator"]?.objectValue
    }
}
