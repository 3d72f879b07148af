/// Requests of the host application to load missed messages, for example after a silent push. They are the only reason
/// to load messages in the background.
struct FetchRequests: Hashable, Sendable {
    /// The largest number of requests that wait for the same load. Further ones fail.
    ///
    /// - Error: `CancellationError`
    static let limit = 16

    private var waiting: [Ticket] = []
    /// The number of new messages from the company since the first waiting request.
    private var news = 0

    /// Whether messages must be loaded also in the background.
    var isActive: Bool { !waiting.isEmpty }

    /// Adds a request. Returns a refusal if there are too many or no user is authorized.
    mutating func ask(_ ticket: Ticket, isAuthorized: Bool) -> [CoreAction] {
        guard isAuthorized else { return [.notify(.fetched(ticket, .failure(.notAuthorized)))] }
        guard waiting.count < Self.limit else { return [.notify(.fetched(ticket, .failure(.superseded)))] }
        waiting.append(ticket)
        return []
    }

    /// Counts messages that a load found.
    mutating func note(_ count: Int) {
        if isActive { news += count }
    }

    /// Answers all requests with the number of new messages.
    mutating func succeed() -> [CoreAction] { answer(.success(news)) }

    /// Answers all requests with a failure.
    mutating func fail(_ failure: RequestFailure) -> [CoreAction] { answer(.failure(failure)) }

    private mutating func answer(_ result: Result<Int, RequestFailure>) -> [CoreAction] {
        let tickets = waiting
        waiting = []
        news = 0
        return tickets.map { .notify(.fetched($0, result)) }
    }
}
