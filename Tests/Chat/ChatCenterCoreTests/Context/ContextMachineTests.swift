import ChatWire
import Testing

@testable import ChatCenterCore

/// Tests the machine for the surroundings of a message: its requests, its limits and late answers.
@Suite struct ContextMachineTests {
    let conditions = ContextMachine.Conditions(isAuthorized: true, mayAskServer: true, pageSize: 30)
    let drawing = ContextMessages.Drawing(hidden: [], uploading: [], showsLinkPreviews: false)
    let target = MessageID("m-500")

    func message(_ number: Int, text: String? = nil) -> StoredMessage {
        StoredMessage(
            id: MessageID("m-\(number)"),
            content: Content(
                .message, uuid: "m-\(number)", operator: Operator(name: "Eva"), text: text ?? "\(number)",
                receivedDate: Int64(number)),
            position: MessagePosition(time: Int64(number), sequence: 0), state: .received(.read))
    }

    func answer(_ numbers: Range<Int>) -> (HistoryAnswer, [StoredMessage]) {
        let messages = numbers.map { message($0) }
        return (HistoryAnswer(messages: messages.map(\.content)), messages)
    }

    /// Returns the purpose of the only call.
    func request(_ actions: [CoreAction]) -> ContextRequest? {
        guard actions.count == 1, case .call(_, for: .context(let request)) = actions[0] else { return nil }
        return request
    }

    func rows(_ machine: ContextMachine) -> [Int] { machine.shown?.messages.compactMap { Int($0.text ?? "") } ?? [] }

    /// Returns the surroundings from the server, with the messages 471 to 530.
    func opened() -> ContextMachine {
        var machine = ContextMachine()
        let query = HistoryQuery(.around(target), count: 30)
        let show = machine.handle(.showContext(target), in: MessageWindow(), conditions)
        #expect(show == [.effect(.loadPage(query))])
        let empty = HistoryPage(messages: [], hasOlder: false)
        let first = request(machine.loaded(query, .success(empty), conditions))
        #expect(first?.step == .afterTarget)
        let (newer, newerMessages) = answer(501..<531)
        let second = first.flatMap { request(machine.answered($0, newer, newerMessages, conditions)) }
        #expect(second?.step == .throughTarget)
        let (older, olderMessages) = answer(471..<501)
        if let second { #expect(machine.answered(second, older, olderMessages, conditions).isEmpty) }
        machine.settle(in: MessageWindow(), drawing)
        #expect(rows(machine) == Array(471..<531))
        return machine
    }

    @Test func nothingOpensWithoutAUser() {
        var machine = ContextMachine()
        var conditions = conditions
        conditions.isAuthorized = false
        _ = machine.handle(.showContext(target), in: MessageWindow(), conditions)
        #expect(machine.shown == nil)
    }

    @Test func withoutAConnectionTheOpeningFails() {
        var machine = ContextMachine()
        var conditions = conditions
        conditions.mayAskServer = false
        let query = HistoryQuery(.around(target), count: 30)
        _ = machine.handle(.showContext(target), in: MessageWindow(), conditions)
        #expect(machine.shown?.older == .loading)
        let empty = HistoryPage(messages: [], hasOlder: false)
        #expect(machine.loaded(query, .success(empty), conditions).isEmpty)
        guard case .failed(let failure) = machine.shown?.newer else {
            Issue.record("the opening did not fail")
            return
        }
        #expect(failure.kind == .noConnectivity)
    }

    @Test("a message without a UUID cannot be requested from the server", arguments: ["server:7", "content:ab", ""])
    func idWithoutUUID(_ id: String) {
        var machine = ContextMachine()
        let query = HistoryQuery(.around(MessageID(id)), count: 30)
        _ = machine.handle(.showContext(MessageID(id)), in: MessageWindow(), conditions)
        let empty = HistoryPage(messages: [], hasOlder: false)
        #expect(machine.loaded(query, .success(empty), conditions).isEmpty)
        guard case .failed(let failure) = machine.shown?.older else {
            Issue.record("the opening did not fail")
            return
        }
        #expect(failure.explanation?.contains("no UUID") == true)
    }

    @Test func anAnswerWithoutTheMessageFails() {
        var machine = ContextMachine()
        let query = HistoryQuery(.around(target), count: 30)
        _ = machine.handle(.showContext(target), in: MessageWindow(), conditions)
        let empty = HistoryPage(messages: [], hasOlder: false)
        let first = request(machine.loaded(query, .success(empty), conditions))
        let second = first.flatMap { request(machine.answered($0, HistoryAnswer(messages: []), [], conditions)) }
        #expect(second?.step == .throughTarget)
        let (other, messages) = answer(1..<5)
        if let second { _ = machine.answered(second, other, messages, conditions) }
        guard case .failed = machine.shown?.newer else {
            Issue.record("the opening did not fail")
            return
        }
        #expect(rows(machine).isEmpty)
    }

    @Test func theNewestMessageOpensToo() {
        var machine = ContextMachine()
        let query = HistoryQuery(.around(target), count: 30)
        _ = machine.handle(.showContext(target), in: MessageWindow(), conditions)
        let empty = HistoryPage(messages: [], hasOlder: false)
        let first = request(machine.loaded(query, .success(empty), conditions))
        let actions = first.map { machine.answered($0, HistoryAnswer(messages: []), [], conditions) } ?? []
        let second = request(actions)
        #expect(
            actions.contains { if case .call(.history(let call), for: _) = $0 { call.bound == .newest } else { false } }
        )
        let (older, messages) = answer(471..<501)
        if let second { _ = machine.answered(second, older, messages, conditions) }
        machine.settle(in: MessageWindow(), drawing)
        #expect(rows(machine).last == 500)
        #expect(machine.shown?.newer == .atEnd)
    }

    @Test func anUnreadableStoreIsReplacedByTheServer() {
        var machine = ContextMachine()
        let query = HistoryQuery(.around(target), count: 30)
        _ = machine.handle(.showContext(target), in: MessageWindow(), conditions)
        let failure = StoreFailure(.other, errorID: 3)
        let actions = machine.loaded(query, .failure(failure), conditions)
        #expect(actions.first == .storeReadFailed(failure))
        #expect(request(Array(actions.dropFirst()))?.step == .afterTarget)
    }

    // MARK: Late and repeated answers

    @Test func lateAnswersAreIgnored() {
        var machine = opened()
        let old = request(machine.handle(.loadOlderContext, in: MessageWindow(), conditions))
        #expect(machine.handle(.loadOlderContext, in: MessageWindow(), conditions).isEmpty, "one request at a time")
        _ = machine.handle(.showContext(MessageID("m-3")), in: MessageWindow(), conditions)
        let (page, messages) = answer(441..<471)
        if let old {
            #expect(machine.answered(old, page, messages, conditions).isEmpty)
            #expect(machine.failed(old, TransportFailure(.timedOut)).isEmpty)
        }
        machine.settle(in: MessageWindow(), drawing)
        #expect(rows(machine).isEmpty)
        #expect(machine.shown?.older == .loading)
        _ = machine.handle(.closeContext, in: MessageWindow(), conditions)
        let query = HistoryQuery(.around(MessageID("m-3")), count: 30)
        #expect(machine.loaded(query, .success(HistoryPage(messages: messages, hasOlder: true)), conditions).isEmpty)
        #expect(machine.shown == nil)
    }

    @Test func aServerThatRepeatsItselfIsNotAskedForEver() {
        var machine = opened()
        for expected in [ChatScreenContext.Edge.idle, .atEnd] {
            let asked = request(machine.handle(.loadOlderContext, in: MessageWindow(), conditions))
            let (page, messages) = answer(441..<471)
            if let asked { _ = machine.answered(asked, page, messages, conditions) }
            machine.settle(in: MessageWindow(), drawing)
            #expect(machine.shown?.older == expected)
        }
        #expect(rows(machine) == Array(441..<531))
    }

    // MARK: Limits

    @Test func messagesAtTheOtherEndAreRemovedAndCanBeLoadedAgain() {
        var machine = opened()
        var first = 471
        while first > 471 - 30 * 40 {
            let asked = request(machine.handle(.loadOlderContext, in: MessageWindow(), conditions))
            let (page, messages) = answer((first - 30)..<first)
            if let asked { _ = machine.answered(asked, page, messages, conditions) }
            first -= 30
        }
        machine.settle(in: MessageWindow(), drawing)
        #expect(rows(machine) == Array(first..<(first + ContextMessages.longest)))
        let newer = machine.handle(.loadNewerContext, in: MessageWindow(), conditions)
        let bound = HistoryRequest.Bound.after(uuid: "m-\(first + ContextMessages.longest - 1)")
        #expect(
            newer.contains { if case .call(.history(let call), for: _) = $0 { call.bound == bound } else { false } })
    }

    @Test func largeMessagesCountByTheirSize() {
        var machine = opened()
        let asked = request(machine.handle(.loadOlderContext, in: MessageWindow(), conditions))
        let text = String(repeating: "x", count: 400_000)
        let messages = (441..<471).map { message($0, text: text) }
        if let asked {
            _ = machine.answered(asked, HistoryAnswer(messages: messages.map(\.content)), messages, conditions)
        }
        machine.settle(in: MessageWindow(), drawing)
        let count = machine.shown?.messages.count ?? 0
        #expect(count > 15 && count < 30)
        #expect(machine.shown?.messages.first?.id == MessageID("m-441"), "the user scrolled to this end")
    }

    // MARK: Rows

    @Test func aRemovedMessageDisappears() {
        var machine = opened()
        machine.note(.removeMessage(target))
        machine.settle(in: MessageWindow(), drawing)
        #expect(!rows(machine).contains(500))
    }

    @Test func theConversationsVersionOfAMessageIsDrawn() {
        var machine = opened()
        var window = MessageWindow()
        window.save(message(530, text: "530530"))
        machine.settle(in: window, drawing)
        #expect(rows(machine).last == 530_530)
        #expect(machine.shown?.newer == .atEnd)
        // A queued message is in memory without its neighbors.
        var queued = message(530)
        let entry = OutboxEntry(sequence: 1, expires: Moment(monotonic: 0, wall: 0).after(milliseconds: 1))
        queued.state = .own(.queued(entry, deadline: nil))
        window.save(queued)
        machine.settle(in: window, drawing)
        #expect(machine.shown?.newer == .idle)
    }

    @Test func hiddenRowsAndButtonsAreNotShown() {
        var machine = opened()
        var changed = message(501)
        changed.content.quickReplies = [QuickReply(id: "1", text: "Yes")]
        machine.note(.saveMessage(changed))
        var drawing = drawing
        drawing.hidden = [MessageID("m-502")]
        machine.settle(in: MessageWindow(), drawing)
        #expect(!rows(machine).contains(502))
        #expect(machine.shown?.messages.allSatisfy(\.buttons.isEmpty) == true)
    }
}
