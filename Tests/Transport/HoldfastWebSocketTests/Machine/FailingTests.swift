import HoldfastWebSocket
import Testing

/// Tests the time between the peer's violation and the close frame that answers it.
@Suite struct FailingTests {
    private func failing(_ role: WebSocketRole) -> MachineBench {
        var bench = MachineBench(role)
        bench.readerKeepsUp = false
        bench.receive(bench.wire.text("before") + bench.wire.frame(15) + bench.wire.text("behind"))
        return bench
    }

    @Test(arguments: WebSocketRole.allCases)
    func onlySendingContinues(role: WebSocketRole) throws {
        var bench = failing(role)
        #expect(bench.messages == [.text("before")])
        #expect(bench.sent.isEmpty && bench.ends.isEmpty)
        bench.receive(bench.wire.text("more") + bench.wire.frame(Wire.ping) + bench.wire.close(1000))
        #expect(bench.messages.count == 1 && bench.sent.isEmpty)
        #expect(try bench.machine.send(.text("answer"))?.count == 1)
        #expect(bench.machine.ping(at: bench.now) == .closed)
        bench.effects += bench.machine.readerCaughtUp(at: bench.now)
        #expect(bench.closes == [1002])
        #expect(bench.violation == .reservedOpcode)
        #expect(try bench.machine.send(.text("late")) == nil)
        let before = bench.effects
        bench.effects += bench.machine.readerCaughtUp(at: bench.now)
        #expect(bench.effects == before)
    }

    @Test(arguments: WebSocketRole.allCases)
    func endsWithItsErrorInEveryCase(role: WebSocketRole) {
        var late = failing(role)
        late.advance(.seconds(5))
        #expect(late.closes == [1002] && late.violation == .reservedOpcode)
        var closed = failing(role)
        closed.effects += closed.machine.close(.normal, at: closed.now)
        #expect(closed.closes == [1002] && closed.violation == .reservedOpcode)
        var lost = failing(role)
        lost.effects += lost.machine.transportClosed()
        #expect(lost.closes.isEmpty && lost.violation == .reservedOpcode && lost.ends.count == 1)
        var abandoned = failing(role)
        abandoned.effects += abandoned.machine.abandon()
        #expect(abandoned.closes.isEmpty && abandoned.violation == .reservedOpcode && abandoned.ends.count == 1)
        // A code that must not be sent causes no close frame here either.
        var cut = failing(role)
        cut.effects += cut.machine.close(.abnormal, at: cut.now)
        #expect(cut.closes.isEmpty && cut.violation == .reservedOpcode && cut.ends.count == 1)
        #expect(cut.effects.last == .cutTransport)
    }
}
