/// The intents of the pages: which number is next, which are being performed, and the last answers.
struct PageClientTable: Hashable, Sendable {
    /// How the session must treat a number.
    enum Step: Hashable, Sendable {
        /// The intent must be performed.
        case new
        /// The intent is being performed.
        case pending
        /// The intent was performed with this result.
        case answered(PageAnswer)
    }

    /// A page.
    private struct Client: Hashable, Sendable {
        var id: String
        /// The number of the next intent.
        var next: UInt64
        /// The numbers that are being performed, in order.
        var pending: [UInt64] = []
        /// The last answers, in the order in which they were given.
        var answers: [Answer] = []
    }

    private struct Answer: Hashable, Sendable {
        var number: UInt64
        var answer: PageAnswer
    }

    private let limits: PageProtocolLimits
    /// The pages; the last one sent an intent most recently.
    private var clients: [Client] = []

    init(_ limits: PageProtocolLimits) {
        self.limits = limits
    }

    /// Records that a page sends the intent with this number.
    mutating func begin(_ number: UInt64, from id: String) throws(PageProtocolError) -> Step {
        var client = Client(id: id, next: number)
        if let index = clients.firstIndex(where: { $0.id == id }) { client = clients.remove(at: index) }
        defer { clients.append(client) }
        if clients.count >= limits.maximumClients { clients.removeFirst(clients.count - limits.maximumClients + 1) }

        if number < client.next {
            if client.pending.contains(number) { return .pending }
            if let known = client.answers.last(where: { $0.number == number }) { return .answered(known.answer) }
            throw PageProtocolError(
                .replayed, number: number, reason: "The number \(number) was used before; expected \(client.next).")
        }
        guard number == client.next else {
            throw PageProtocolError(
                .outOfOrder, number: number, reason: "The number is \(number); expected \(client.next).")
        }
        guard client.pending.count < limits.maximumPending else {
            throw PageProtocolError(
                .tooManyPending, number: number,
                reason: "\(client.pending.count) intents of this page have no answer yet. Send the frame again later.")
        }
        client.next += 1
        client.pending.append(number)
        return .new
    }

    /// Records the result of an intent. Returns the answer to send, which is an earlier one if there was one.
    mutating func finish(_ number: UInt64, from id: String, _ answer: PageAnswer) -> PageAnswer {
        guard let index = clients.firstIndex(where: { $0.id == id }) else { return answer }
        guard let place = clients[index].pending.firstIndex(of: number) else {
            return clients[index].answers.last { $0.number == number }?.answer ?? answer
        }
        clients[index].pending.remove(at: place)
        clients[index].answers.append(Answer(number: number, answer: answer))
        let surplus = clients[index].answers.count - limits.maximumAnswers
        if surplus > 0 { clients[index].answers.removeFirst(surplus) }
        return answer
    }
}
