import ChatWire
import OrderedCollections

extension ChatServerCore {
    /// The answer to a REST call.
    mutating func answer(to request: RESTRequest, from caller: Caller, _ turn: inout Turn) -> ServerAnswer {
        if let refusal = refusal(of: CallName(request), from: caller, &turn) { return refusal }
        if case .configuration = request { return .configuration(currentConfiguration(at: turn.now)) }
        guard caller.clientID != nil || caller.deviceAddress != nil else {
            return .failure(status: 400, WireFailure("client.missing"))
        }
        // A client or a device that the server does not know (any more) has no messages.
        let client = client(of: caller)
        let log = client?.log ?? MessageLog()
        switch request {
        case .configuration:
            return .configuration(currentConfiguration(at: turn.now))
        case .history(let request):
            return .history(history(request, log, of: client?.record))
        case .unread:
            return .unread(UnreadAnswer(count: Int64(log.unreadCount)))
        case .search(let query, let page, let size):
            return search(query, page: page, size: size, log)
        case .deleteDevice:
            deleteDevice(of: caller, &turn)
            return .deviceDeleted
        }
    }

    /// Forgets the caller's device, like CLIENT_OFFLINE on its socket. Ignores an unknown device.
    private mutating func deleteDevice(of caller: Caller, _ turn: inout Turn) {
        guard let address = caller.deviceAddress, let clientID = clientIDsByAddress[address] else { return }
        forgetDevice(address, of: clientID, &turn)
        for (id, connection) in connections.elements where connection.deviceAddress == address {
            close(id, .clientOffline, &turn)
        }
    }

    /// Whether a file may come or go.
    mutating func answer(to transfer: CallName, from caller: Caller, _ turn: inout Turn) -> ServerAnswer {
        refusal(of: transfer, from: caller, &turn) ?? .permitted
    }

    /// What keeps a call from being answered: a planned fault, or the token.
    private mutating func refusal(of name: CallName, from caller: Caller, _ turn: inout Turn) -> ServerAnswer? {
        if let answer = takeCallFault(name) {
            turn.note(.fault)
            return answer
        }
        return access.refusal(of: caller.token).map { .failure(status: 401, $0) }
    }

    /// Whose history it is. The device address wins; the client id counts where there is none, or an unknown one.
    private func client(of caller: Caller) -> ClientState? {
        let owner = caller.deviceAddress.flatMap { clientIDsByAddress[$0] }
        return (owner ?? caller.clientID).flatMap { clients[$0] }
    }

    private func currentConfiguration(at now: ServerMoment) -> ConfigurationAnswer {
        var answer = configuration
        answer.schedule = currentSchedule(at: now)
        return answer
    }

    private func history(_ request: HistoryRequest, _ log: MessageLog, of record: ClientRecord?) -> HistoryAnswer {
        let count = Int(min(max(1, request.count), Int64(settings.limits.historyCount)))
        let messages = log.page(request.bound, count: count).map(\.historyContent)
        let agent = record.flatMap { $0.hasOperator ? speaker(for: $0.clientID).wireObject : nil }
        return HistoryAnswer(
            messages: messages, agentInfo: agent,
            allowedToSendMessages: isSendingAllowed && record?.isBlocked != true)
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
