import HoldfastTestSupport
import HoldfastWebSocket
import Testing

/// However the network cuts a session, its effects are the same.
@Suite struct SegmentationTests {
    /// Sessions as a peer of either role sends them.
    static func sessions(_ wire: Wire) -> [[UInt8]] {
        [
            wire.text("Hello") + wire.frame(Wire.ping, [1, 2, 3]) + wire.frame(Wire.binary, [0, 255, 128])
                + wire.text("fr😀", final: false) + wire.frame(Wire.ping)
                + wire.frame(Wire.continuation, Array("ag€".utf8))
                + wire.close(1000, "done"),
            wire.frame(Wire.binary, [UInt8](repeating: 7, count: 130)) + wire.text("") + wire.frame(Wire.pong, [9])
                + wire.close(4001, "own") + wire.text("never seen"),
            wire.text("fine") + wire.frame(Wire.text, [0x61, 0xC3, 0x28, 0x61]),
            wire.text("fine") + wire.frame(Wire.ping, [5]) + wire.frame(Wire.text, [0x61], reserved: 4),
            wire.text("fine") + Wire.header(Wire.text, length: 10, masked: wire.sender == .client, form: .bits64),
            wire.frame(Wire.continuation, [1]),
            wire.text("a", final: false) + wire.frame(Wire.binary, [1]),
            wire.frame(Wire.close, [3]),
        ]
    }

    private func run(_ role: WebSocketRole, _ pieces: [ArraySlice<UInt8>]) -> [MachineEffect] {
        var bench = MachineBench(role)
        for piece in pieces { bench.receive(Array(piece)) }
        return bench.effects
    }

    @Test(arguments: WebSocketRole.allCases, 0..<8)
    func everyCutGivesTheSameEffects(role: WebSocketRole, index: Int) {
        let session = Self.sessions(Wire(sender: role.peer))[index]
        let whole = run(role, [session[...]])
        #expect(!whole.isEmpty)
        // One byte at a time.
        #expect(run(role, session.indices.map { session[$0...$0] }) == whole)
        // Every single cut.
        for cut in session.indices {
            #expect(run(role, [session[..<cut], session[cut...]]) == whole)
        }
        // Every pair of cuts.
        for first in session.indices {
            for second in first..<session.count where (first + second) % 3 == 0 {
                #expect(run(role, [session[..<first], session[first..<second], session[second...]]) == whole)
            }
        }
    }

    /// Noise: nothing traps, whatever comes is bounded by the limits, and a cut changes nothing.
    @Test(arguments: WebSocketRole.allCases)
    func noiseDoesTheSameHoweverItIsCut(role: WebSocketRole) {
        var generator = SeededGenerator(seed: 77)
        for _ in 0..<2000 {
            var session = Self.sessions(Wire(sender: role.peer)).randomElement(using: &generator) ?? []
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                let index = Int.random(in: 0..<session.count, using: &generator)
                session[index] = UInt8.random(in: .min ... .max, using: &generator)
            }
            let whole = run(role, [session[...]])
            let cut = Int.random(in: 0...session.count, using: &generator)
            #expect(run(role, [session[..<cut], session[cut...]]) == whole)
            #expect(whole.count { if case .end = $0 { true } else { false } } <= 1)
        }
    }
}
