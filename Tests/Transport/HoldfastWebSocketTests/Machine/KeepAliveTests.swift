import HoldfastWebSocket
import Testing

@Suite struct KeepAliveTests {
    private func bench() -> MachineBench {
        MachineBench(
            .client,
            WebSocketSettings(keepAlive: WebSocketKeepAlive(interval: .seconds(30), timeout: .seconds(10))))
    }

    @Test func silenceCausesAPingAndThenATimeout() throws {
        var bench = bench()
        bench.advance(.milliseconds(29_999))
        #expect(bench.effects.isEmpty)
        bench.advance(.milliseconds(1))
        #expect(bench.sent.map(\.opcode) == [.ping])
        bench.advance(.milliseconds(9_999))
        #expect(bench.ends.isEmpty)
        bench.advance(.milliseconds(1))
        let end = try #require(bench.ends.first)
        #expect(end.error?.code == .keepAliveTimedOut)
        #expect(end.closure.code == .abnormal)
        #expect(bench.effects.last == .cutTransport)
    }

    @Test func anyByteResetsTheKeepAlive() {
        var bench = bench()
        bench.advance(.seconds(30))
        bench.advance(.seconds(9))
        // Only the first byte of a frame.
        bench.receive([0x81])
        bench.advance(.seconds(29))
        #expect(bench.sent.count == 1 && bench.ends.isEmpty)
        bench.advance(.seconds(1))
        #expect(bench.sent.count == 2)
    }

    @Test func busyConnectionSendsNoPing() {
        var bench = bench()
        for _ in 0..<100 {
            bench.advance(.seconds(20))
            bench.receive(bench.wire.text("still here"))
        }
        #expect(bench.sent.isEmpty)
    }

    @Test func pausedReadingSuspendsTheTimeout() {
        var bench = bench()
        bench.machine.pausedChanged(to: true, at: bench.now)
        #expect(bench.machine.nextWake == nil)
        bench.advance(.seconds(1000))
        #expect(bench.effects.isEmpty)
        bench.machine.pausedChanged(to: false, at: bench.now)
        bench.advance(.seconds(29))
        #expect(bench.effects.isEmpty)
        bench.advance(.seconds(1))
        #expect(bench.sent.count == 1)
    }

    @Test func keepAliveIsIndependentOfOwnPings() {
        var bench = bench()
        bench.advance(.seconds(30))
        bench.receive(bench.wire.frame(Wire.pong))
        #expect(bench.sent.count == 1 && bench.effects.count == 1)
    }

    @Test func withoutKeepAliveThereIsNoTimer() {
        #expect(MachineBench(.server).machine.nextWake == nil)
    }

    @Test func extremeTimesDoNotTrap() {
        let instant = WebSocketInstant(nanoseconds: .max - 1)
        #expect(instant.advanced(by: .seconds(Int64.max)).nanoseconds == .max)
        #expect(WebSocketInstant(nanoseconds: .min).advanced(by: .seconds(Int64.min)).nanoseconds == .min)
        #expect(
            WebSocketInstant(nanoseconds: .min).duration(to: WebSocketInstant(nanoseconds: .max))
                == .nanoseconds(Int64.max))
        var bench = MachineBench(
            .client, WebSocketSettings(keepAlive: WebSocketKeepAlive(interval: .seconds(Int64.max), timeout: .zero)))
        bench.advance(.seconds(1))
        #expect(bench.effects.isEmpty)
    }
}
