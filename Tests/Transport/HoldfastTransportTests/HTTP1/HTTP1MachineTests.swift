import Testing

@testable import HoldfastTransport

/// The states of a connection, event by event.
@Suite struct HTTP1MachineTests {
    @Test func consecutiveExchanges() throws {
        var machine = HTTP1Machine()
        for number in 1...3 {
            #expect(machine.begin(closesAfterwards: false) == true)
            #expect(machine.begin(closesAfterwards: false) == false)
            #expect(machine.exchanges == number)
            #expect(machine.phase == .sending)
            machine.requestEnded()
            #expect(machine.phase == .awaitingResponse)
            machine.head(closes: false)
            #expect(machine.phase == .receiving)
            #expect(machine.readCycleEnded() == nil)
            #expect(machine.responseEnded() == true)
            #expect(machine.responseEnded() == false)
            #expect(machine.readCycleEnded() == true)
            #expect(machine.phase == .waiting)
        }
        #expect(machine.failed() == .close)
        #expect(machine.failed() == .nothing)
        #expect(machine.begin(closesAfterwards: false) == false)
    }

    @Test(arguments: [(true, false), (false, true)])
    func optionsThatEndTheConnection(server: Bool, caller: Bool) throws {
        var machine = HTTP1Machine()
        _ = machine.begin(closesAfterwards: caller)
        machine.requestEnded()
        machine.head(closes: server)
        #expect(machine.responseEnded() == true)
        #expect(machine.readCycleEnded() == false)
        #expect(machine.isClosed)
    }

    @Test func aResponseBeforeTheEndOfTheRequestEndsTheConnection() throws {
        var machine = HTTP1Machine()
        _ = machine.begin(closesAfterwards: false)
        machine.head(closes: false)
        #expect(machine.responseEnded() == true)
        #expect(machine.readCycleEnded() == false)
    }

    @Test func failuresHaveTheirPhase() throws {
        var machine = HTTP1Machine()
        _ = machine.begin(closesAfterwards: false)
        machine.requestEnded()
        #expect(machine.failed() == .failExchange(.awaitingResponse))

        machine = HTTP1Machine()
        _ = machine.begin(closesAfterwards: false)
        machine.requestEnded()
        machine.head(closes: false)
        _ = machine.responseEnded()
        // The response is complete: its exchange succeeds, whatever happens to the connection.
        #expect(machine.failed() == .completeExchange)
    }
}
