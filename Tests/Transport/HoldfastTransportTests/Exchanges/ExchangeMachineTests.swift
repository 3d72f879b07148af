import Testing

@testable import HoldfastTransport

/// The caller's view of an exchange, event by event.
@Suite struct ExchangeMachineTests {
    @Test func collecting() {
        var machine = ExchangeMachine(sink: .collect(limit: 10))
        #expect(machine.begin() == true)
        #expect(machine.begin() == false)
        #expect(machine.head(length: nil) == .keep)
        #expect(machine.part(10) == .keep)
        #expect(machine.part(1) == .failTooLarge)
        #expect(machine.fail() == true)
        #expect(machine.part(1) == .drop)
        #expect(machine.end() == false)
        #expect(machine.fail() == false)
    }

    @Test func anAnnouncedLengthIsCheckedAtOnce() {
        var machine = ExchangeMachine(sink: .collect(limit: 10))
        _ = machine.begin()
        #expect(machine.head(length: 11) == .failTooLarge)
    }

    @Test func streamingPausesAndResumes() {
        var machine = ExchangeMachine(sink: .stream(highWater: 100))
        _ = machine.begin()
        _ = machine.head(length: nil)
        #expect(machine.part(100) == .keep)
        #expect(machine.part(1) == .keepAndPause)
        #expect(machine.part(1) == .keep)
        #expect(machine.taken(40) == false)
        #expect(machine.taken(40) == true)
        #expect(machine.taken(22) == false)
        #expect(machine.end() == true)
        #expect(machine.isOver)
    }

    @Test func aCancelledExchangeIgnoresInput() {
        var machine = ExchangeMachine(sink: .collect(limit: 10))
        #expect(machine.fail() == true)
        #expect(machine.begin() == false)
        #expect(machine.head(length: 0) == .drop)
    }

    @Test func theRequestBodySlot() throws {
        var slot = RequestBodySlot(length: 3)
        #expect(slot.take() == .nothingYet)
        let isTaken = try slot.offer([1, 2])
        #expect(isTaken)
        #expect(throws: TransportError.self) { try slot.offer([3]) }
        #expect(slot.take() == .part([1, 2]))
        #expect(throws: TransportError.self) { try slot.finish() }
        slot = RequestBodySlot(length: 3)
        _ = try slot.offer([1, 2, 3])
        _ = slot.take()
        try slot.finish()
        #expect(slot.take() == .finished)
        slot.close()
        let isTakenLater = try slot.offer([1])
        #expect(!isTakenLater)
    }
}
