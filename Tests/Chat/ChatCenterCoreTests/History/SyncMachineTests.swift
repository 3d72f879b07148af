import ChatWire
import Testing

@testable import ChatCenterCore

/// Tests the synchronization: which page is requested next, when the history is complete, and what is retried.
@Suite struct SyncMachineTests {
    static let now = Moment(monotonic: 0, wall: 0)
    static let pageSize = 40
    /// The page size if no history is known.
    static let firstPage = 30

    func at(_ milliseconds: Int64) -> Moment { Moment(monotonic: milliseconds * 1_000_000, wall: milliseconds) }

    func machine(cursor: String? = nil, _ window: MessageWindow = MessageWindow()) -> SyncMachine {
        var machine = SyncMachine(pageSize: Self.pageSize)
        machine.restore(cursor: cursor, window)
        return machine
    }

    /// Returns messages from the company, with a UUID and a time for each number.
    func contents(_ numbers: ClosedRange<Int>) -> [Content] {
        numbers.map { Content(.message, uuid: "m-\($0)", text: "\($0)", receivedDate: Int64($0)) }
    }

    func window(_ numbers: ClosedRange<Int>) -> MessageWindow {
        var window = MessageWindow()
        for content in contents(numbers) {
            window.save(
                StoredMessage(
                    id: MessageID(content.uuid ?? ""), content: content,
                    position: MessagePosition(time: content.receivedDate ?? 0, sequence: 0), state: .received(.read)))
        }
        return window
    }

    func fetch(_ bound: HistoryRequest.Bound, _ count: Int = pageSize) -> [CoreAction] {
        [.call(.history(HistoryRequest(bound, count: Int64(count))), for: .gap)]
    }

    func begin(_ machine: inout SyncMachine, _ window: MessageWindow = MessageWindow()) -> [CoreAction] {
        machine.want()
        return machine.settle(window, firstPage: Self.firstPage)
    }

    /// Confirms the page that the machine wants to merge, and returns the next actions.
    func absorb(
        _ actions: [CoreAction], _ machine: inout SyncMachine, _ window: MessageWindow = MessageWindow(),
        news: Int = 0, at now: Moment = now
    ) -> [CoreAction] {
        guard case .absorb(let page) = actions.last else {
            Issue.record("no page was merged, but \(actions)")
            return []
        }
        if news > 0 { machine.absorbedNews(news) }
        return machine.absorbed(page, in: window, isForeground: true, at: now)
    }

    @Test func nothingIsFetchedWithoutNeed() {
        var machine = machine()
        #expect(machine.settle(MessageWindow(), firstPage: Self.firstPage).isEmpty)
        #expect(machine.arrived(HistoryAnswer(messages: contents(1...2))).isEmpty)
        #expect(machine.olderArrived(HistoryAnswer(messages: contents(1...2))).isEmpty)
        #expect(!machine.isBehind)
    }

    @Test func theFirstPageIsTheNewest() {
        var machine = machine()
        #expect(begin(&machine) == fetch(.newest, Self.firstPage))
        #expect(machine.isBehind)
        #expect(begin(&machine).isEmpty, "only one load at a time")
        machine = self.machine()
        _ = begin(&machine)
        let arrived = machine.arrived(HistoryAnswer(messages: contents(1...2), allowedToSendMessages: false))
        guard case .absorb(let page) = arrived.last else {
            Issue.record("no page was merged")
            return
        }
        #expect(page.isFirst)
        #expect(page.messages == contents(1...2))
        #expect(!machine.hasHistory)
        #expect(absorb(arrived, &machine) == [.save(.cursor("m-2")), .resolveUnconfirmed, .ended(nil)])
        #expect(machine.hasHistory)
        #expect(!machine.allowedToSend)
        #expect(machine.paging(MessageWindow()) == .atBeginning, "the page was not full")
    }

    @Test func anEmptyConversationIsFetchedFromItsBeginning() {
        var machine = machine()
        _ = begin(&machine)
        let actions = absorb(machine.arrived(HistoryAnswer(messages: [])), &machine)
        #expect(actions.first == .save(.cursor("")))
        #expect(begin(&machine) == fetch(.newest))
    }

    @Test func missedMessagesAreFetchedPageByPage() {
        let window = window(1...5)
        var machine = machine(cursor: "m-5", window)
        #expect(begin(&machine, window) == fetch(.after(uuid: "m-5")))
        let first = absorb(
            machine.arrived(HistoryAnswer(messages: contents(6...45))), &machine, window, news: 40)
        #expect(first == [.save(.cursor("m-45"))] + fetch(.after(uuid: "m-45")))
        let second = absorb(machine.arrived(HistoryAnswer(messages: contents(46...47))), &machine, window, news: 2)
        #expect(
            second == [.save(.cursor("m-47")), .notify(.gapFilled(42)), .resolveUnconfirmed, .ended(nil)])
    }

    @Test func aLookupThatStartedTooEarlyProvesNothing() {
        var machine = machine(cursor: "m-5")
        _ = begin(&machine)
        machine.lookUp()
        let actions = absorb(machine.arrived(HistoryAnswer(messages: [])), &machine)
        #expect(actions == [.ended(nil)])
        #expect(machine.settle(MessageWindow(), firstPage: Self.firstPage) == fetch(.after(uuid: "m-5")))
        #expect(absorb(machine.arrived(HistoryAnswer(messages: [])), &machine) == [.resolveUnconfirmed, .ended(nil)])
    }

    @Test func aForgottenCursorIsRestored() {
        let window = window(1...5)
        var machine = machine(cursor: "m-5", window)
        var entropy = EntropySource(seed: 1)
        _ = begin(&machine, window)
        let demand = SyncMachine.Demand(hasUnconfirmed: false, isWatched: true)
        let unknown = TransportFailure(.refused, status: 404)
        #expect(machine.failed(unknown, demand, at: Self.now, entropy: &entropy).count == 1, "only a log line")
        #expect(machine.settle(window, firstPage: Self.firstPage) == fetch(.newest))
        let page = contents(10...49)
        #expect(machine.arrived(HistoryAnswer(messages: page)) == fetch(.before(uuid: "m-10")))
        let actions = absorb(machine.arrived(HistoryAnswer(messages: contents(4...9))), &machine, window)
        #expect(actions.prefix(2) == [.notify(.historyReset), .save(.cursor("m-49"))])
    }

    @Test func aGapIsFilledToItsOtherEnd() {
        let window = window(50...50)
        var machine = machine(cursor: "m-50", window)
        machine.fill(to: 60)
        #expect(!machine.isBehind, "there is no gap after it")
        machine.fill(to: 20)
        #expect(machine.settle(window, firstPage: Self.firstPage) == fetch(.newest))
        #expect(machine.arrived(HistoryAnswer(messages: contents(21...60))) == fetch(.before(uuid: "m-21")))
    }

    @Test func anEndlessHistoryIsFetchedWithPauses() {
        var machine = machine(cursor: "")
        var last = 1_000_000
        var actions = begin(&machine)
        var pages = 0
        while case .call = actions.last, pages < 1000 {
            pages += 1
            actions = machine.arrived(HistoryAnswer(messages: contents((last - Self.pageSize + 1)...last)))
            last -= Self.pageSize
        }
        #expect(pages == SyncMachine.longestRun)
        #expect(absorb(actions, &machine).last == .ended(nil))
        #expect(machine.wake == SyncMachine.pause * 1_000_000)
        #expect(machine.settle(MessageWindow(), firstPage: Self.firstPage).isEmpty)
        machine.expire(at: at(SyncMachine.pause))
        #expect(machine.settle(MessageWindow(), firstPage: Self.firstPage) == fetch(.before(uuid: "m-\(last + 1)")))
        // The server no longer recognizes the start of the rest: all of it is loaded again.
        var entropy = EntropySource(seed: 1)
        let demand = SyncMachine.Demand(hasUnconfirmed: false, isWatched: true)
        #expect(
            machine.failed(TransportFailure(.refused, status: 404), demand, at: Self.now, entropy: &entropy).isEmpty)
        machine.retryNow()
        #expect(machine.settle(MessageWindow(), firstPage: Self.firstPage) == fetch(.newest))
    }

    @Test(arguments: [
        (TransportFailure(.unreachable), false, true, true), (TransportFailure(.unreachable), false, false, false),
        (TransportFailure(.trust), false, true, false), (TransportFailure(.trust), true, false, true),
    ])
    func aFailureIsRetriedIfUseful(
        _ failure: TransportFailure, _ hasUnconfirmed: Bool, _ isWatched: Bool, _ isRetried: Bool
    ) {
        var machine = machine()
        var entropy = EntropySource(seed: 1)
        _ = begin(&machine)
        let demand = SyncMachine.Demand(hasUnconfirmed: hasUnconfirmed, isWatched: isWatched)
        #expect(
            machine.failed(failure, demand, at: Self.now, entropy: &entropy) == [.limitLookUps, .ended(failure)])
        #expect(machine.isFailing)
        #expect(machine.problem == failure)
        #expect(machine.isBehind == isRetried)
        #expect((machine.wake != nil) == isRetried)
    }

    @Test func aCallWithARefusedTokenIsRepeated() {
        var machine = machine()
        _ = begin(&machine)
        machine.tokenRefused()
        #expect(!machine.isFailing)
        #expect(machine.settle(MessageWindow(), firstPage: Self.firstPage) == fetch(.newest, Self.firstPage))
        _ = machine.cancelled()
        #expect(machine.arrived(HistoryAnswer(messages: [])).isEmpty, "an unexpected answer")
    }

    @Test func olderMessagesComeFromTheStoreFirst() {
        var window = window(50...51)
        window.storeHasOlder = true
        var machine = machine(cursor: "m-51", window)
        func load() -> [CoreAction] {
            machine.loadOlder(10, &window, isAuthorized: true, mayCall: true)
        }
        let query = HistoryQuery(before: MessagePosition(time: 50, sequence: 0), count: 10)
        #expect(load() == [.effect(.loadPage(query))])
        #expect(load().isEmpty, "only one page at a time")
        #expect(machine.paging(window) == .loading)
        let other = HistoryQuery(before: nil, count: 1)
        let empty = HistoryPage(messages: [], hasOlder: false)
        #expect(machine.loaded(other, .success(empty), &window, mayCall: true).isEmpty, "these were not requested")
        let request = HistoryRequest(.before(uuid: "m-50"), count: 10)
        #expect(
            machine.loaded(query, .success(empty), &window, mayCall: true) == [.call(.history(request), for: .older)])
        let failure = TransportFailure(.timedOut)
        machine.olderFailed(failure)
        #expect(machine.paging(window) == .failed(failure))
        #expect(load() == [.call(.history(request), for: .older)])
        let older = contents(48...49)
        #expect(machine.olderArrived(HistoryAnswer(messages: older)) == [.absorbOlder(older)])
        #expect(machine.paging(window) == .atBeginning)
        #expect(load().isEmpty)
    }

    /// The screen does not offer a retry if there is nothing left to load.
    @Test func theBeginningIsShownAfterAFailureToLoadOlderMessages() {
        var window = window(50...51)
        var machine = machine(window)
        _ = machine.loadOlder(10, &window, isAuthorized: true, mayCall: true)
        machine.olderFailed(TransportFailure(.timedOut))
        _ = begin(&machine, window)
        _ = absorb(machine.arrived(HistoryAnswer(messages: contents(50...51))), &machine, window)
        #expect(machine.paging(window) == .atBeginning)
    }

    @Test func anUnreadableStoreIsReported() {
        var window = window(50...51)
        window.storeHasOlder = true
        var machine = machine(cursor: "m-51", window)
        let query = HistoryQuery(before: MessagePosition(time: 50, sequence: 0), count: 10)
        _ = machine.loadOlder(10, &window, isAuthorized: true, mayCall: true)
        let failure = StoreFailure(.corrupt)
        #expect(machine.loaded(query, .failure(failure), &window, mayCall: true) == [.storeReadFailed(failure)])
        #expect(machine.paging(window) == .idle)
        #expect(machine.loadOlder(10, &window, isAuthorized: false, mayCall: true).count == 1, "only a log line")
    }
}
