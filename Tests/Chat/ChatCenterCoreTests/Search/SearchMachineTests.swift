import ChatWire
import Testing

@testable import ChatCenterCore

/// Tests the search machine: its requests, and how it handles the answers.
@Suite struct SearchMachineTests {
    static let start = Moment(monotonic: 0, wall: 1_700_000_000_000)
    static let later = Moment(monotonic: SearchMachine.pause * 1_000_000, wall: 1_700_000_000_300)
    let conditions = SearchMachine.Conditions(isAuthorized: true, isEnabled: true, mayAskServer: true, pageSize: 2)

    func request(_ page: Int64 = 0, failure: TransportFailure? = nil) -> SearchRequest {
        SearchRequest(asker: .screen(1), text: "red", page: page, failure: failure)
    }

    func answer(_ ids: [String], pages: Int64) -> SearchAnswer {
        SearchAnswer(
            total: 3, pages: pages, content: ids.map { Content(.message, uuid: $0, text: "red \($0)") }, page: nil)
    }

    /// Returns the call for a page of this search.
    func ask(_ request: SearchRequest) -> CoreAction {
        .call(.search(query: request.text, page: request.page, size: 2), for: .search(request))
    }

    /// Returns a search on the screen whose first page was requested from the server.
    func asked() -> SearchMachine {
        var machine = SearchMachine()
        var numbers = NumberSequence()
        _ = machine.typed("red", at: Self.start, conditions, numbers: &numbers)
        #expect(machine.expire(at: Self.later, conditions) == [ask(request())])
        return machine
    }

    @Test func theServerIsSearchedAfterAPause() {
        var machine = SearchMachine()
        var numbers = NumberSequence()
        #expect(machine.typed("r", at: Self.start, conditions, numbers: &numbers).isEmpty)
        #expect(machine.wake == Self.later.monotonic)
        #expect(machine.shown?.isSearching == true)
        #expect(machine.expire(at: Self.start, conditions).isEmpty)
        #expect(machine.typed("re", at: Self.start, conditions, numbers: &numbers) == [.cancelSearch(screen: 1)])
        let second = SearchRequest(asker: .screen(2), text: "re", page: 0)
        #expect(machine.expire(at: Self.later, conditions) == [ask(second)])
        #expect(machine.wake == nil)
        #expect(machine.typed(" ", at: Self.later, conditions, numbers: &numbers) == [.cancelSearch(screen: 2)])
        #expect(machine == SearchMachine())
    }

    @Test func pagesFollowEachOtherWithoutDuplicates() {
        var machine = asked()
        #expect(machine.more(conditions).isEmpty, "the first page is in progress")
        _ = machine.answered(request(), answer(["a", "b"], pages: 2), in: MessageWindow())
        #expect(machine.shown?.hasMore == true)
        #expect(machine.more(conditions) == [ask(request(1))])
        _ = machine.answered(request(1), answer(["b", "c"], pages: 2), in: MessageWindow())
        #expect(machine.shown?.results.map(\.id.text) == ["a", "b", "c"])
        #expect(machine.shown?.hasMore == false)
        #expect(machine.shown?.total == 3)
    }

    @Test func theStoreIsSearchedInsteadOfTheServer() {
        var machine = asked()
        let failure = TransportFailure(.timedOut)
        let query = SearchQuery(text: "red", limit: 3)
        #expect(machine.failed(request(), failure, conditions) == [.effect(.searchStore(query))])
        let hits = ["a", "b", "c"].map { id in
            SearchHit(
                id: MessageID(id), position: MessagePosition(time: 0, sequence: 0),
                content: Content(.message, uuid: id, text: "red"))
        }
        #expect(machine.storeAnswered(query, .success(hits), in: MessageWindow(), conditions).isEmpty)
        #expect(machine.shown?.results.map(\.id.text) == ["a", "b"])
        #expect(machine.shown?.isLocal == true)
        #expect(machine.shown?.failure == failure)
        #expect(machine.shown?.hasMore == true)
    }

    @Test func oneStoreQueryAnswersEveryRequestForIt() {
        var offline = conditions
        offline.mayAskServer = false
        var machine = SearchMachine()
        let query = SearchQuery(text: "red", limit: 3)
        #expect(machine.search(Ticket(1), "red", page: 0, offline) == [.effect(.searchStore(query))])
        #expect(machine.search(Ticket(2), "red", page: -5, offline).isEmpty)
        let failure = StoreFailure(.diskFull, errorID: 7)
        let told = RequestFailure.transport(TransportFailure(.file, errorID: 7))
        let report = CoreAction.log(.error, "the store could not be searched: \(failure.kind.rawValue)")
        #expect(
            machine.storeAnswered(query, .failure(failure), in: MessageWindow(), offline) == [
                report, .notify(.searchAnswer(Ticket(1), .failure(told))), report,
                .notify(.searchAnswer(Ticket(2), .failure(told))),
            ])
        #expect(machine == SearchMachine())
    }

    @Test func anInvalidSearchIsAnsweredAtOnce() {
        var machine = SearchMachine()
        var refused = conditions
        refused.isEnabled = false
        #expect(
            machine.search(Ticket(1), "x", page: 0, refused) == [.notify(.searchAnswer(Ticket(1), .failure(.disabled)))]
        )
        refused.isAuthorized = false
        #expect(
            machine.search(Ticket(2), "x", page: 0, refused) == [
                .notify(.searchAnswer(Ticket(2), .failure(.notAuthorized)))
            ])
        let nothing = SearchAnswer(total: 0, pages: 0, content: [], page: nil)
        #expect(
            machine.search(Ticket(3), " \n", page: 0, conditions) == [
                .notify(.searchAnswer(Ticket(3), .success(nothing)))
            ])
        #expect(machine == SearchMachine())
    }

    @Test func cancelledRequestsAreAnswered() {
        var offline = conditions
        offline.mayAskServer = false
        var machine = SearchMachine()
        _ = machine.search(Ticket(1), "red", page: 0, offline)
        #expect(machine.cancelStoreRequests() == [.notify(.searchAnswer(Ticket(1), .failure(.superseded)))])
        #expect(machine.cancelStoreRequests().isEmpty)
        let request = SearchRequest(asker: .ticket(Ticket(2)), text: "red", page: 0)
        #expect(machine.cancelled(request) == [.notify(.searchAnswer(Ticket(2), .failure(.superseded)))])
    }

    @Test func anAnswerToAnotherSearchChangesNothing() {
        var machine = asked()
        let before = machine
        var other = request()
        other.asker = .screen(9)
        #expect(machine.answered(other, answer(["a"], pages: 1), in: MessageWindow()).isEmpty)
        #expect(machine.answered(request(4), answer(["a"], pages: 1), in: MessageWindow()).isEmpty)
        #expect(machine == before)
        machine.leaveScreen()
        #expect(machine.answered(request(), answer(["a"], pages: 1), in: MessageWindow()).isEmpty)
        #expect(machine.shown == nil)
    }
}
