import HoldfastWebSocket
import Testing

/// Reimplements groups 6 and 7 of the Autobahn conformance suite: UTF-8 and the closing handshake.
@Suite struct TextAndCloseGroupTests {
    /// Boundary values of every UTF-8 length and of the excluded ranges.
    static let valid: [String] = [
        "", "Hello-µ@ßöäüàá-UTF-8!!", "κόσμε",
        "\u{0}", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{FFFF}",
        "\u{FFFD}", "\u{D7FF}",
        "\u{E000}", "\u{10000}", "\u{10FFFF}", "\u{FFFE}", "\u{1FFFE}", "\u{10FFFE}", "𐍈😀",
    ]

    @Test(arguments: WebSocketRole.allCases, valid)
    func echoesValidTextForEverySegmentation(role: WebSocketRole, text: String) {
        let bytes = Array(text.utf8)
        var session = EchoSession(role)
        let wire = session.wire
        session.receive(wire.text(text))
        session.receive(wire.text(text), inPiecesOf: 1)
        // One fragment per byte, followed by an empty one.
        var stream = wire.frame(Wire.text, final: false)
        for byte in bytes { stream += wire.frame(Wire.continuation, [byte], final: false) }
        session.receive(stream + wire.frame(Wire.continuation))
        #expect(session.answers == Array(repeating: .text(text), count: 3))
    }

    /// Lone and missing continuations, overlong forms, surrogates, values above the last code point, and bytes that
    /// never occur in UTF-8.
    static let invalid: [[UInt8]] = [
        [0xCE, 0xBA, 0xE1, 0xBD, 0xB9, 0xCF, 0x83, 0xCE, 0xBC, 0xCE, 0xB5, 0xED, 0xA0, 0x80, 0x65, 0x64],
        [0xF4, 0x90, 0x80, 0x80], [0x80], [0xBF, 0x61], [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x80, 0xAF],
        [0xE0, 0x9F, 0xBF], [0xF0, 0x80, 0x80, 0xAF], [0xF0, 0x8F, 0xBF, 0xBF], [0xF8, 0x88, 0x80, 0x80, 0x80],
        [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
        [0xED, 0xA0, 0x80, 0xED, 0xB0, 0x80], [0xFE], [0xFF], [0xE2, 0x28, 0xA1], [0xC3, 0x28],
        [0xF5, 0x80, 0x80, 0x80],
    ]

    @Test(arguments: WebSocketRole.allCases, invalid)
    func refusesInvalidTextForEverySegmentation(role: WebSocketRole, bytes: [UInt8]) {
        let wire = Wire(sender: role.peer)
        var stream = wire.frame(Wire.text, final: false)
        for byte in bytes { stream += wire.frame(Wire.continuation, [byte], final: false) }
        for sent in [wire.frame(Wire.text, bytes), stream, wire.frame(Wire.text, bytes, final: false)] {
            for pieces in [Int.max, 1] {
                var session = EchoSession(role)
                session.receive(sent, inPiecesOf: pieces)
                #expect(session.answers == [.close(1007)])
                #expect(session.isOver == true)
            }
        }
    }

    @Test(arguments: WebSocketRole.allCases)
    func answersACloseFrameOnceAndNothingAfterIt(role: WebSocketRole) {
        let wire = Wire(sender: role.peer)
        for behind in [[], wire.close(1000), wire.frame(Wire.ping), wire.text("late"), wire.frame(Wire.continuation)] {
            var session = EchoSession(role)
            session.receive(wire.text("Hello"))
            session.receive(wire.close(1000) + behind)
            #expect(session.answers == [.text("Hello"), .close(1000)])
        }
        var within = EchoSession(role)
        within.receive(wire.text("frag", final: false) + wire.close(1000) + wire.frame(Wire.continuation, [0x61]))
        #expect(within.answers == [.close(1000)])
        var large = EchoSession(role)
        let payload = [UInt8](repeating: 0x2A, count: 262_144)
        large.receive(wire.frame(Wire.text, payload))
        large.receive(wire.close(1000) + wire.frame(Wire.ping))
        #expect(large.answers == [.text(payload), .close(1000)])
    }

    @Test(arguments: WebSocketRole.allCases)
    func validatesCloseFramesOfEverySize(role: WebSocketRole) {
        let wire = Wire(sender: role.peer)
        let cases: [([UInt8], UInt16?)] = [
            (wire.frame(Wire.close), nil), (wire.frame(Wire.close, [0x61]), 1002), (wire.close(1000), 1000),
            (wire.close(1000, "Hello World!"), 1000), (wire.close(1000, String(repeating: "*", count: 123)), 1000),
            (wire.close(1000, String(repeating: "*", count: 124)), 1002),
            (wire.frame(Wire.close, [3, 232] + Self.invalid[0]), 1007),
        ]
        for (bytes, code) in cases {
            for pieces in [Int.max, 1] {
                var session = EchoSession(role)
                session.receive(bytes, inPiecesOf: pieces)
                #expect(session.answers == [.close(code)])
            }
        }
    }

    @Test(arguments: WebSocketRole.allCases)
    func validatesEachCloseCode(role: WebSocketRole) {
        let allowed = Set<UInt16>(1000...1003).union(1007...1014).union(3000...4999)
        for code in UInt16(0)...5100 {
            var session = EchoSession(role)
            session.receive(session.wire.close(code))
            #expect(session.answers == [.close(allowed.contains(code) ? code : 1002)])
        }
        for code: UInt16 in [0x7FFF, 0x8000, 0xFFFF] {
            var session = EchoSession(role)
            session.receive(session.wire.close(code))
            #expect(session.answers == [.close(1002)])
        }
    }
}
