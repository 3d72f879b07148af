import ChatWire

/// Queries of clients and operators.
extension Conversations {
    /// Returns a page of the history. An unknown or removed client has no messages.
    func history(_ request: HistoryRequest, of clientID: String?, isSendingAllowed: Bool) -> HistoryAnswer {
        let record = clientID.flatMap { self[$0]?.record }
        let count = Int(min(max(1, request.count), Int64(limits.historyCount)))
        let agent = record.flatMap { $0.hasOperator ? speaker(for: $0.clientID).wireObject : nil }
        return HistoryAnswer(
            messages: log(of: clientID).page(request.bound, count: count).map(\.historyContent), agentInfo: agent,
            allowedToSendMessages: isSendingAllowed && record?.isBlocked != true)
    }

    /// Returns the number of messages that a client has not read.
    func unreadCount(of clientID: String?) -> UnreadAnswer {
        UnreadAnswer(count: Int64(log(of: clientID).unreadCount))
    }

    /// Returns a page of the messages whose text contains the query. Returns `nil` if the query is too long.
    func search(_ query: String, page: Int64, size: Int64, of clientID: String?) -> SearchAnswer? {
        guard limits.accepts(identifier: query) else { return nil }
        let size = min(max(1, size), Int64(limits.searchSize))
        return log(of: clientID).search(query, page: page, size: size)
    }

    /// Returns a page of the clients, in the order of their first appearance.
    func clientIDs(from offset: Int, count: Int) -> [String] {
        Array(clientIDs.dropFirst(max(0, offset)).prefix(min(max(1, count), limits.historyCount)))
    }

    /// Returns a page of a client's messages, including those outside the history. Returns `nil` for an unknown client.
    func messages(of clientID: String, _ bound: HistoryRequest.Bound, count: Int) -> [ServerMessage]? {
        self[clientID]?.log.page(bound, count: min(max(1, count), limits.historyCount), withHidden: true)
    }

    private func log(of clientID: String?) -> MessageLog {
        clientID.flatMap { self[$0]?.log } ?? MessageLog()
    }
}

extension Operator {
    /// The operator as encoded in the history.
    fileprivate var wireObject: JSONObject? {
        Content(.message, operator: self).json.objectValue?["operator"]?.objectValue
    }
}
