import HoldfastWebSocket
import Testing

/// Tests that every limit has its own error and code 1009.
@Suite struct LimitTests {
    private func bench(_ role: WebSocketRole) -> MachineBench {
        MachineBench(
            role,
            WebSocketSettings(
                limits: WebSocketLimits(maximumFrameSize: 100, maximumMessageSize: 150, maximumFragments: 4)))
    }

    @Test(arguments: WebSocketRole.allCases)
    func refusesALargeFrameByItsHeader(role: WebSocketRole) {
        var bench = bench(role)
        bench.receive(bench.wire.frame(Wire.binary, [UInt8](repeating: 1, count: 100)))
        #expect(bench.messages.count == 1)
        bench.receive(Wire.header(Wire.binary, length: 101, masked: role == .server))
        #expect(bench.violation == .frameTooLarge)
        #expect(bench.ends.first?.error?.code == .limitExceeded)
        #expect(bench.closes == [1009])
    }

    @Test(arguments: WebSocketRole.allCases)
    func refusesALargeMessageByAHeader(role: WebSocketRole) {
        var bench = bench(role)
        let wire = bench.wire
        bench.receive(wire.frame(Wire.binary, [UInt8](repeating: 1, count: 100), final: false))
        bench.receive(wire.frame(Wire.continuation, [UInt8](repeating: 1, count: 50), final: false))
        #expect(bench.ends.isEmpty)
        bench.receive(Wire.header(Wire.continuation, length: 1, masked: role == .server))
        #expect(bench.violation == .messageTooLarge)
        #expect(bench.closes == [1009])
    }

    @Test(arguments: WebSocketRole.allCases)
    func countsEmptyFragments(role: WebSocketRole) {
        var bench = bench(role)
        let wire = bench.wire
        bench.receive(
            wire.frame(Wire.text, final: false) + wire.frame(Wire.continuation, final: false)
                + wire.frame(Wire.continuation, final: false) + wire.frame(Wire.continuation))
        #expect(bench.messages == [.text("")])
        bench.receive(wire.frame(Wire.text, final: false))
        for _ in 0..<3 { bench.receive(wire.frame(Wire.continuation, final: false)) }
        #expect(bench.ends.isEmpty)
        bench.receive(wire.frame(Wire.continuation, final: false))
        #expect(bench.violation == .tooManyFragments)
        #expect(bench.closes == [1009])
    }

    @Test func limitsBelowOneCountAsOne() {
        let limits = WebSocketLimits(
            maximumFrameSize: -1, maximumMessageSize: 0, maximumFragments: 0, receiveBuffer: .min, sendBuffer: 0)
        #expect(
            limits
                == WebSocketLimits(
                    maximumFrameSize: 1, maximumMessageSize: 1, maximumFragments: 1, receiveBuffer: 1, sendBuffer: 1))
    }
}
