import ChatWire
import Testing

@testable import ChatCenterCore

/// Tests the REST calls in progress.
@Suite struct CallLedgerTests {
    let credentials = WireCredentials(token: "t")

    func search(_ asker: SearchRequest.Asker) -> PendingCall.Purpose {
        .search(SearchRequest(asker: asker, text: "x", page: 0))
    }

    var farewell: PendingCall.Purpose {
        .farewell(
            FarewellRun(
                ticket: nil, farewell: Farewell(clientID: "ann", deviceAddress: "d"),
                user: UserIdentity(clientID: "ann"),
                credentials: credentials, deadline: Deadline(monotonic: 0, wall: 0)))
    }

    @Test func aResponseIsUsedOnce() {
        var ledger = CallLedger()
        ledger.began(CallID(1), for: .gap, credentials)
        #expect(ledger.contains(.gap))
        #expect(!ledger.contains(.older))
        #expect(ledger.take(CallID(2)) == nil)
        #expect(ledger.take(CallID(1)) == PendingCall(id: CallID(1), purpose: .gap, credentials: credentials))
        #expect(ledger.take(CallID(1)) == nil)
        #expect(ledger == CallLedger())
    }

    @Test func theReportOfALogoutSurvivesTheUser() {
        var ledger = CallLedger()
        ledger.began(CallID(1), for: .configuration, credentials)
        ledger.began(CallID(2), for: farewell, credentials)
        #expect(ledger.reportedFarewells == ["ann"])
        #expect(ledger.takeAllOfUser().map(\.id) == [CallID(1)])
        #expect(ledger.takeAllOfUser().isEmpty)
        #expect(ledger.take(CallID(2))?.purpose.farewell?.farewell.clientID == "ann")
        #expect(ledger.reportedFarewells.isEmpty)
    }

    @Test func theSearchesOfOneScreenAreRemoved() {
        var ledger = CallLedger()
        ledger.began(CallID(1), for: search(.screen(1)), credentials)
        ledger.began(CallID(2), for: search(.screen(2)), credentials)
        #expect(ledger.takeSearches(onScreen: 1).map(\.id) == [CallID(1)])
        #expect(ledger.takeSearches(onScreen: 1).isEmpty)
        #expect(ledger.contains(search(.screen(2))))
    }
}
