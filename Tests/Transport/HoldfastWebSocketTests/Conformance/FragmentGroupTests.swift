import HoldfastWebSocket
import Testing

/// Reimplements groups 5, 9 and 10 of the Autobahn conformance suite: fragments and sizes.
@Suite struct FragmentGroupTests {
    @Test(arguments: WebSocketRole.allCases, [Wire.ping, Wire.pong])
    func refusesFragmentedControlFrames(role: WebSocketRole, opcode: UInt8) {
        var session = EchoSession(role)
        session.receive(
            session.wire.frame(opcode, Array("frag".utf8), final: false)
                + session.wire.frame(Wire.continuation, Array("ment".utf8)))
        #expect(session.answers == [.close(1002)])
    }

    @Test(arguments: WebSocketRole.allCases, [Int.max, 1])
    func assemblesFragmentsWithPingsBetween(role: WebSocketRole, pieces: Int) {
        var session = EchoSession(role)
        let wire = session.wire
        session.receive(
            wire.text("one", final: false) + wire.frame(Wire.continuation, Array("two".utf8)), inPiecesOf: pieces)
        #expect(session.answers == [.text("onetwo")])
        session.receive(
            wire.text("1", final: false) + wire.frame(Wire.ping, [1])
                + wire.frame(Wire.continuation, Array("2".utf8), final: false) + wire.frame(Wire.ping, [2])
                + wire.frame(Wire.continuation, Array("3".utf8)), inPiecesOf: pieces)
        #expect(session.answers.dropFirst() == [.pong([1]), .pong([2]), .text("123")])
    }

    /// Tests continuations without a first fragment and a first fragment within a message.
    @Test(arguments: WebSocketRole.allCases, [Int.max, 1])
    func refusesFragmentsOutOfOrder(role: WebSocketRole, pieces: Int) {
        let wire = Wire(sender: role.peer)
        let loose = wire.frame(Wire.continuation, [0x61])
        let looseOpen = wire.frame(Wire.continuation, [0x61], final: false)
        let wrong: [(bytes: [UInt8], before: [EchoSession.Answer])] = [
            (loose + wire.text("Hello"), []),
            (looseOpen + wire.text("Hello"), []),
            (wire.text("whole") + loose, [.text("whole")]),
            (
                wire.text("a", final: false) + wire.frame(Wire.continuation, [0x62]) + looseOpen + wire.text("c"),
                [.text("ab")]
            ),
            (wire.text("a", final: false) + wire.text("b"), []),
            (wire.text("a", final: false) + wire.frame(Wire.binary, [1]), []),
            (wire.text("a", final: false) + wire.text("b", final: false), []),
        ]
        for (bytes, before) in wrong {
            var session = EchoSession(role)
            session.receive(bytes, inPiecesOf: pieces)
            #expect(session.answers == before + [.close(1002)])
        }
    }

    @Test(arguments: WebSocketRole.allCases, [65_536, 262_144, 1_048_576, 4_194_304])
    func echoesLargeMessages(role: WebSocketRole, size: Int) {
        let payload = [UInt8](repeating: 0x2A, count: size)
        for opcode in [Wire.text, Wire.binary] {
            var session = EchoSession(role)
            session.receive(session.wire.frame(opcode, payload), inPiecesOf: 64 * 1024)
            #expect(session.answers == [opcode == Wire.text ? .text(payload) : .binary(payload)])
        }
    }

    @Test(arguments: WebSocketRole.allCases, [64, 256, 1024, 4096, 16_384, 65_536])
    func echoesLargeMessagesInSmallFragments(role: WebSocketRole, fragment: Int) {
        let payload = [UInt8](repeating: 0x2A, count: 524_288)
        var session = EchoSession(role)
        let wire = session.wire
        var stream: [UInt8] = []
        for start in stride(from: 0, to: payload.count, by: fragment) {
            let end = min(start + fragment, payload.count)
            stream += wire.frame(
                start == 0 ? Wire.binary : Wire.continuation, Array(payload[start..<end]), final: end == payload.count)
        }
        session.receive(stream, inPiecesOf: 64 * 1024)
        #expect(session.answers == [.binary(payload)])
    }

    @Test(arguments: WebSocketRole.allCases, [64, 128, 256, 512, 1024, 2048])
    func echoesAMessageThatArrivesInSmallPieces(role: WebSocketRole, pieces: Int) {
        let payload = [UInt8](repeating: 0x2A, count: 262_144)
        var session = EchoSession(role)
        session.receive(session.wire.frame(Wire.text, payload), inPiecesOf: pieces)
        #expect(session.answers == [.text(payload)])
    }

    /// The peer assembles the fragments that this end sends.
    @Test(arguments: WebSocketRole.allCases)
    func peerAssemblesOwnFragments(role: WebSocketRole) {
        let payload = [UInt8](repeating: 0x2A, count: 65_536)
        var session = EchoSession(role, WebSocketSettings(fragmentSize: 1300))
        session.receive(session.wire.frame(Wire.binary, payload))
        #expect(session.answers == [.binary(payload)])
    }
}
