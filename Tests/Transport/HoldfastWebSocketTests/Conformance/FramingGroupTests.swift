import HoldfastWebSocket
import Testing

/// Reimplements groups 1 to 4 of the Autobahn conformance suite: framing, pings, reserved bits and opcodes.
@Suite struct FramingGroupTests {
    @Test(arguments: WebSocketRole.allCases, [0, 125, 126, 127, 128, 65_535, 65_536])
    func echoesMessagesWithEveryHeaderSize(role: WebSocketRole, size: Int) {
        for pieces in [Int.max, 997, 1] where pieces > 1 || size < 1000 {
            var session = EchoSession(role)
            let payload = [UInt8](repeating: 0x2A, count: size)
            session.receive(session.wire.frame(Wire.text, payload), inPiecesOf: pieces)
            session.receive(session.wire.frame(Wire.binary, payload), inPiecesOf: pieces)
            #expect(session.answers == [.text(payload), .binary(payload)])
        }
    }

    @Test(
        arguments: WebSocketRole.allCases,
        [[], Array("Hello".utf8), [0, 255, 254, 0], [UInt8](repeating: 0xFE, count: 125)])
    func answersPingsWithTheirPayload(role: WebSocketRole, payload: [UInt8]) {
        for pieces in [Int.max, 1] {
            var session = EchoSession(role)
            session.receive(session.wire.frame(Wire.ping, payload), inPiecesOf: pieces)
            #expect(session.answers == [.pong(payload)])
        }
    }

    @Test(arguments: WebSocketRole.allCases)
    func refusesPingsAbove125Bytes(role: WebSocketRole) {
        var session = EchoSession(role)
        session.receive(session.wire.frame(Wire.ping, [UInt8](repeating: 0xFE, count: 126)))
        #expect(session.answers == [.close(1002)])
        #expect(session.isOver == true)
    }

    @Test(arguments: WebSocketRole.allCases)
    func ignoresUnsolicitedPongs(role: WebSocketRole) {
        var session = EchoSession(role)
        session.receive(session.wire.frame(Wire.pong))
        session.receive(session.wire.frame(Wire.pong, Array("unasked".utf8)))
        #expect(session.answers.isEmpty)
        session.receive(session.wire.frame(Wire.pong, [1]) + session.wire.frame(Wire.ping, [2]))
        #expect(session.answers == [.pong([2])])
    }

    @Test(arguments: WebSocketRole.allCases, [Int.max, 1])
    func answersTenPingsInOrder(role: WebSocketRole, pieces: Int) {
        var session = EchoSession(role)
        let wire = session.wire
        session.receive((0..<10).flatMap { wire.frame(Wire.ping, [$0]) }, inPiecesOf: pieces)
        #expect(session.answers == (0..<10).map { .pong([$0]) })
    }

    @Test(arguments: WebSocketRole.allCases, [Wire.text, Wire.binary, Wire.ping, Wire.pong, Wire.close])
    func refusesReservedBitsOnEveryFrameType(role: WebSocketRole, opcode: UInt8) {
        for bits in UInt8(1)...7 {
            for pieces in [Int.max, 1] {
                var session = EchoSession(role)
                session.receive(session.wire.frame(opcode, [3, 232], reserved: bits), inPiecesOf: pieces)
                #expect(session.answers == [.close(1002)])
            }
        }
    }

    /// The peer receives answers to frames before the violation, but not to frames after it.
    @Test(arguments: WebSocketRole.allCases, [Int.max, 1])
    func answersFramesBeforeAViolation(role: WebSocketRole, pieces: Int) {
        let wire = Wire(sender: role.peer)
        let wrong =
            (1...7).map { wire.frame(Wire.text, [0x61], reserved: $0) }
            + ([3, 4, 5, 6, 7, 11, 12, 13, 14, 15] as [UInt8]).map { wire.frame($0) }
        for frame in wrong {
            var session = EchoSession(role)
            session.receive(wire.text("Hello") + frame + wire.frame(Wire.ping), inPiecesOf: pieces)
            #expect(session.answers == [.text("Hello"), .close(1002)])
            session.receive(wire.text("more") + wire.frame(Wire.ping))
            #expect(session.answers.count == 2)
        }
    }

    @Test(arguments: WebSocketRole.allCases, [3, 4, 5, 6, 7, 11, 12, 13, 14, 15] as [UInt8])
    func refusesReservedOpcodes(role: WebSocketRole, opcode: UInt8) {
        for payload in [[], Array("reserved".utf8)] {
            var session = EchoSession(role)
            session.receive(session.wire.frame(opcode, payload))
            #expect(session.answers == [.close(1002)])
        }
    }
}
