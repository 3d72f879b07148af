import ChatWire
import Testing

@testable import ChatCenterCore

/// Tests the commit ledger: when a failing store is retried, and which effects of a turn are repeated.
@Suite struct CommitLedgerTests {
    static let retry = CommitLedger.retryInterval
    let change = StoreChange.cursor("a")
    let transaction = StoreTransaction(user: "ann", changes: [.cursor("a")])
    let failure = StoreFailure(.diskFull)

    func at(_ milliseconds: Int64) -> Moment { Moment(monotonic: milliseconds * 1_000_000, wall: milliseconds) }

    /// Runs a turn from begin to end.
    func turn(
        _ ledger: inout CommitLedger, _ event: ChatEvent = .wake, at milliseconds: Int64 = 0,
        _ body: (inout CommitLedger, inout CoreUpdate) -> Void = { _, _ in }
    ) -> [ChatEffect] {
        var turn = CoreUpdate(now: at(milliseconds), entropy: 1)
        ledger.begin(event, &turn)
        body(&ledger, &turn)
        ledger.end(&turn)
        return turn.effects
    }

    /// Returns a ledger whose last turn failed to commit `transaction`.
    func failed(_ ledger: inout CommitLedger, at milliseconds: Int64 = 0) -> [ChatEffect] {
        var lost: [ChatEffect] = []
        _ = turn(&ledger, .commitFailed(transaction, failure), at: milliseconds) { ledger, turn in
            lost = Array(ledger.failed(transaction, failure, &turn) ?? [])
            for case .commit(let transaction) in lost { turn.commit(transaction) }
        }
        return lost
    }

    func committed(_ ledger: inout CommitLedger) {
        let effects = turn(&ledger) { _, turn in
            turn.emit(.notify(.unread(1)))
            turn.save(change, of: "ann")
            turn.emit(.notify(.unread(2)))
        }
        #expect(effects == [.notify(.unread(1)), .commit(transaction), .notify(.unread(2))])
    }

    @Test func aWorkingStoreLeavesNoBacklog() {
        var ledger = CommitLedger()
        committed(&ledger)
        #expect(!ledger.isFailing)
        #expect(turn(&ledger).isEmpty)
        #expect(ledger == CommitLedger())
    }

    @Test func commitsAfterAFailedOneAreLost() {
        var ledger = CommitLedger()
        committed(&ledger)
        #expect(failed(&ledger) == [.commit(transaction), .notify(.unread(2))])
        #expect(ledger.isFailing)
        #expect(ledger.problem == failure)
        #expect(ledger.wake == Self.retry * 1_000_000)
        var turn = CoreUpdate(now: at(0), entropy: 1)
        #expect(ledger.failed(transaction, failure, &turn) == nil, "it no longer belongs to the last turn")
    }

    @Test func theStoreIsRetriedAfterADelay() {
        var ledger = CommitLedger()
        committed(&ledger)
        _ = failed(&ledger)
        #expect(turn(&ledger, at: Self.retry - 1).isEmpty)
        #expect(turn(&ledger, at: Self.retry) == [.commit(transaction)])
        #expect(ledger.problem == nil)
        #expect(!ledger.isFailing)
    }

    @Test func aCallWithAnAnswerRetriesAtOnce() {
        var ledger = CommitLedger()
        committed(&ledger)
        _ = failed(&ledger)
        let effects = turn(&ledger, .deauthorize, at: 1) { $1.save(.cursor("b"), of: "ann") }
        #expect(effects == [.commit(transaction), .commit(StoreTransaction(user: "ann", changes: [.cursor("b")]))])
        #expect(ledger.wake == 0, "after success, the deferred work continues at once")
        #expect(turn(&ledger, at: 2).isEmpty)
        #expect(!ledger.isFailing)
    }

    @Test func aFileIsDiscardedAfterItsRow() {
        var ledger = CommitLedger()
        committed(&ledger)
        _ = failed(&ledger)
        let file = LocalFile(path: "/f", name: "f", type: "t", size: 1)
        #expect(turn(&ledger, at: 1) { $1.emit(.discardFile(file)) }.isEmpty)
        #expect(turn(&ledger, at: Self.retry) == [.commit(transaction), .discardFile(file)])
    }

    @Test func theOutcomeOfALogoutWaitsForTheErasure() {
        var ledger = CommitLedger()
        committed(&ledger)
        _ = failed(&ledger)
        let notice = SDKNotice.loggedOut(Ticket(1), .server)
        let effects = turn(&ledger, at: 1) { ledger, turn in
            turn.save(.erase, of: "ann")
            ledger.tellOutcome(notice, &turn)
        }
        #expect(effects.isEmpty)
        let erasure = StoreTransaction(user: "ann", changes: [.erase])
        #expect(turn(&ledger, at: Self.retry) == [.commit(erasure), .notify(notice)])
    }

    @Test func aFullBacklogIsDetected() {
        var turn = CoreUpdate(now: at(0), entropy: 1)
        turn.backlog = Array(repeating: transaction, count: CommitLedger.longestBacklog)
        #expect(!CommitLedger.isBacklogFull(turn))
        turn.backlog.append(transaction)
        #expect(CommitLedger.isBacklogFull(turn))
    }

    @Test func aFailedReadIsReportedUntilTheNextTurn() {
        var ledger = CommitLedger()
        ledger.readFailed(failure)
        #expect(ledger.problem == failure)
        _ = turn(&ledger)
        #expect(ledger.problem == nil)
    }
}
