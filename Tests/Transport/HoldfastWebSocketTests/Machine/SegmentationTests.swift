import HoldfastTestSupport
import HoldfastWebSocket
import Testing

/// Tests that the effects of a session do not depend on its segmentation.
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

    /// Sessions with compressed messages, which run with and without context takeover.
    static func compressedSessions(_ wire: Wire) -> [[UInt8]] {
        let hello: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
        return [
            wire.frame(Wire.text, hello, reserved: 4) + wire.text("plain") + wire.frame(Wire.ping, [1])
                + wire.frame(Wire.text, [0xF2, 0x48], final: false, reserved: 4) + wire.frame(Wire.ping)
                + wire.frame(Wire.continuation, [0xCD, 0xC9, 0xC9, 0x07, 0x00]) + wire.close(1000),
            wire.frame(Wire.text, hello, reserved: 4)
                + wire.frame(Wire.text, [0xF2, 0x00, 0x11, 0x00, 0x00], reserved: 4) + wire.close(1001),
            wire.frame(Wire.binary, [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00], reserved: 4)
                + wire.frame(Wire.text, [0x00], reserved: 4) + wire.frame(Wire.text, reserved: 4)
                + wire.frame(Wire.text, [0xF2, 0x48, 0xCD, 0xFF, 0xFF, 0x07], reserved: 4) + wire.text("never seen"),
            wire.frame(Wire.text, [0x00, 0x03, 0x00, 0xFC, 0xFF, 0x61, 0xFF, 0x61], reserved: 4),
        ]
    }

    private func run(
        _ role: WebSocketRole, _ pieces: [ArraySlice<UInt8>], _ settings: WebSocketSettings = WebSocketSettings()
    ) -> [MachineEffect] {
        var bench = MachineBench(role, settings)
        for piece in pieces { bench.receive(Array(piece)) }
        return bench.effects
    }

    @Test(arguments: WebSocketRole.allCases, 0..<8)
    func everySegmentationHasTheSameEffects(role: WebSocketRole, index: Int) {
        let session = Self.sessions(Wire(sender: role.peer))[index]
        let whole = run(role, [session[...]])
        #expect(!whole.isEmpty)
        // One byte at a time.
        #expect(run(role, session.indices.map { session[$0...$0] }) == whole)
        // Every single split.
        for cut in session.indices {
            #expect(run(role, [session[..<cut], session[cut...]]) == whole)
        }
        // Every third pair of splits.
        for first in session.indices {
            for second in first..<session.count where (first + second) % 3 == 0 {
                #expect(run(role, [session[..<first], session[first..<second], session[second...]]) == whole)
            }
        }
    }

    @Test(arguments: WebSocketRole.allCases, 0..<4)
    func everySegmentationOfACompressedSessionHasTheSameEffects(role: WebSocketRole, index: Int) {
        for context in [false, true] {
            let settings = CompressedMessageTests.settings(context: context)
            let session = Self.compressedSessions(Wire(sender: role.peer))[index]
            let whole = run(role, [session[...]], settings)
            #expect(!whole.isEmpty)
            #expect(run(role, session.indices.map { session[$0...$0] }, settings) == whole)
            for cut in session.indices {
                #expect(run(role, [session[..<cut], session[cut...]], settings) == whole)
            }
        }
    }

    /// The parts depend on the segmentation, but the messages that they form do not.
    @Test(arguments: WebSocketRole.allCases, 0..<4)
    func everySegmentationHasTheSameSumOfParts(role: WebSocketRole, index: Int) {
        var settings = CompressedMessageTests.settings(context: true)
        settings.deliversParts = true
        let session = Self.compressedSessions(Wire(sender: role.peer))[index]
        func sum(_ effects: [MachineEffect]) -> [WebSocketPart] {
            var parts: [WebSocketPart] = []
            for case .deliverPart(let part) in effects {
                if let last = parts.last, !last.isLast {
                    parts[parts.count - 1].bytes += part.bytes
                    parts[parts.count - 1].isLast = part.isLast
                } else {
                    parts.append(part)
                }
            }
            // Parts of a message that a violation truncates may or may not have been delivered.
            return parts.filter(\.isLast)
        }
        let whole = sum(run(role, [session[...]], settings))
        #expect(sum(run(role, session.indices.map { session[$0...$0] }, settings)) == whole)
        for cut in session.indices {
            #expect(sum(run(role, [session[..<cut], session[cut...]], settings)) == whole)
        }
    }

    /// Random bytes never trap, are bounded by the limits, and have the same effects for every segmentation.
    @Test(arguments: WebSocketRole.allCases)
    func everySegmentationOfNoiseHasTheSameEffects(role: WebSocketRole) {
        var generator = SeededGenerator(seed: 77)
        let wire = Wire(sender: role.peer)
        let sessions = Self.sessions(wire) + Self.compressedSessions(wire)
        for _ in 0..<2000 {
            var session = sessions.randomElement(using: &generator) ?? []
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                let index = Int.random(in: 0..<session.count, using: &generator)
                session[index] = UInt8.random(in: .min ... .max, using: &generator)
            }
            let settings = CompressedMessageTests.settings(context: Bool.random(using: &generator))
            let whole = run(role, [session[...]], settings)
            let cut = Int.random(in: 0...session.count, using: &generator)
            #expect(run(role, [session[..<cut], session[cut...]], settings) == whole)
            #expect(whole.count { if case .end = $0 { true } else { false } } <= 1)
        }
    }
}
