import HoldfastWebSocket
import Testing

/// Tests the messages in RFC 7692 and those that it forbids.
@Suite struct CompressedMessageTests {
    static func settings(
        context: Bool = false, limits: WebSocketLimits = WebSocketLimits(), ratio: Int = 200
    ) -> WebSocketSettings {
        let options = WebSocketDeflate(
            sendingContextTakeover: context, receivingContextTakeover: context, minimumSize: 1, maximumRatio: ratio)
        return WebSocketSettings(limits: limits, deflate: DeflateAgreement(options))
    }

    private static let hello: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]

    /// The encodings of RFC 7692, 7.2.3.1 and 7.2.3.3 to 7.2.3.6.
    static let forms: [(String, [UInt8])] = [
        ("Hello", hello),
        ("Hello", [0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00]),
        ("Hello", [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]),
        // The same without the last empty block, as some senders encode it.
        ("Hello", [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]),
        ("Hello", [0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00]),
        ("", [0x00]), ("", [0x02, 0x00]), ("", []),
        // Two streams in one message, each with a final block.
        ("HelloHello", [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]),
    ]

    @Test(arguments: WebSocketRole.allCases, forms)
    func decompressesEveryEncoding(role: WebSocketRole, form: (text: String, bytes: [UInt8])) {
        for context in [false, true] {
            var bench = MachineBench(role, Self.settings(context: context))
            let frame = bench.wire.frame(Wire.text, form.bytes, reserved: 4)
            // Twice as a whole, then byte by byte, with an uncompressed message in between.
            bench.receive(frame + bench.wire.text("plain") + frame)
            for byte in frame { bench.receive([byte]) }
            #expect(bench.messages == [.text(form.text), .text("plain"), .text(form.text), .text(form.text)])
        }
    }

    @Test(arguments: WebSocketRole.allCases)
    func decompressesFragmentsWithControlFramesBetween(role: WebSocketRole) {
        for cut in 0...Self.hello.count {
            var bench = MachineBench(role, Self.settings())
            let wire = bench.wire
            bench.receive(
                wire.frame(Wire.text, Array(Self.hello[..<cut]), final: false, reserved: 4) + wire.frame(Wire.ping, [7])
                    + wire.frame(Wire.continuation, Array(Self.hello[cut...])))
            #expect(bench.messages == [.text("Hello")])
            #expect(bench.pongs == [[7]])
        }
    }

    /// RFC 7692, 7.2.3.2: the second message refers to the first.
    @Test(arguments: WebSocketRole.allCases)
    func sharesTheWindowOnlyIfNegotiated(role: WebSocketRole) {
        let second: [UInt8] = [0xF2, 0x00, 0x11, 0x00, 0x00]
        var sharing = MachineBench(role, Self.settings(context: true))
        let first = sharing.wire.frame(Wire.text, Self.hello, reserved: 4)
        let next = sharing.wire.frame(Wire.text, second, reserved: 4)
        sharing.receive(first + next)
        #expect(sharing.messages == [.text("Hello"), .text("Hello")])
        var alone = MachineBench(role, Self.settings())
        alone.receive(first + next)
        #expect(alone.messages == [.text("Hello")])
        #expect(alone.violation == .malformedCompression)
        #expect(alone.closes == [1007])
    }

    /// The window outlives a stream that ended with a final block.
    @Test func keepsTheWindowAfterAFinalBlock() {
        var bench = MachineBench(.server, Self.settings(context: true))
        let wire = bench.wire
        bench.receive(wire.frame(Wire.text, [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00], reserved: 4))
        bench.receive(wire.frame(Wire.text, [0xF2, 0x00, 0x11, 0x00, 0x00], reserved: 4))
        #expect(bench.messages == [.text("Hello"), .text("Hello")])
    }

    @Test(arguments: WebSocketRole.allCases)
    func allowsRSV1OnlyOnTheFirstFrame(role: WebSocketRole) {
        let wire = Wire(sender: role.peer)
        let wrong: [[UInt8]] = [
            wire.frame(Wire.ping, [1], reserved: 4), wire.frame(Wire.pong, reserved: 4),
            wire.frame(Wire.close, [3, 232], reserved: 4), wire.frame(3, reserved: 4),
            wire.frame(Wire.text, Self.hello, reserved: 6), wire.frame(Wire.text, Self.hello, reserved: 5),
            wire.frame(Wire.text, [0xF2, 0x48], final: false, reserved: 4)
                + wire.frame(Wire.continuation, [0xCD, 0xC9, 0xC9, 0x07, 0x00], reserved: 4),
            wire.text("a", final: false) + wire.frame(Wire.continuation, [0x62], reserved: 4),
        ]
        for bytes in wrong {
            var bench = MachineBench(role, Self.settings())
            bench.receive(bytes)
            #expect(bench.closes == [1002])
            #expect(bench.messages.isEmpty)
        }
        var unasked = MachineBench(role)
        unasked.receive(wire.frame(Wire.text, Self.hello, reserved: 4))
        #expect(unasked.violation == .reservedBits)
    }

    /// Data that is not valid DEFLATE or is truncated.
    static let malformed: [[UInt8]] = [
        [0x07], [0xFF], [0xF2, 0x48, 0xCD, 0xC9, 0xFF, 0xFF, 0xFF], [0x00, 0x05, 0x00, 0x00, 0x00],
        [0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48],
        [0xF2, 0x48, 0xCD], [0xF2, 0x48, 0xCD, 0xC9], [0x78, 0x9C, 0xF3, 0x48],
    ]

    @Test(arguments: WebSocketRole.allCases, malformed)
    func refusesInvalidDeflateWith1007(role: WebSocketRole, bytes: [UInt8]) {
        for piece in [Int.max, 1] {
            var bench = MachineBench(role, Self.settings())
            var rest = bench.wire.frame(Wire.binary, bytes, reserved: 4)[...]
            while !rest.isEmpty {
                bench.receive(Array(rest.prefix(piece)))
                rest = rest.dropFirst(piece)
            }
            #expect(bench.messages.isEmpty)
            #expect(bench.violation == .malformedCompression)
            #expect(bench.closes == [1007])
            #expect(bench.ends.first?.error?.code == .protocolViolation)
        }
    }

    /// After this end has closed, received messages are not decompressed.
    @Test(arguments: WebSocketRole.allCases, [false, true])
    func doesNotDecompressAfterClosing(role: WebSocketRole, context: Bool) {
        var bench = MachineBench(role, Self.settings(context: context))
        let wire = bench.wire
        bench.receive(wire.frame(Wire.text, Array(Self.hello[..<3]), final: false, reserved: 4))
        #expect(bench.machine.holdsCompression == true)
        bench.effects += bench.machine.close(.normal, at: bench.now)
        #expect(bench.machine.holdsCompression == false)
        bench.receive(wire.frame(Wire.continuation, [0xFF, 0xFF]))
        bench.receive(wire.frame(Wire.text, [0x07], reserved: 4) + wire.frame(Wire.text, Self.hello, reserved: 4))
        #expect(bench.machine.holdsCompression == false)
        bench.receive(wire.text("plain") + wire.close(1000))
        #expect(bench.messages.isEmpty && bench.closes == [1000])
        #expect(bench.ends.first?.closure.isClean == true && bench.violation == nil)
        // The rules for frames still apply.
        var wrong = MachineBench(role, Self.settings(context: context))
        _ = wrong.machine.close(.normal, at: wrong.now)
        wrong.receive(wire.frame(Wire.text, Self.hello, final: false, reserved: 4) + wire.text("between"))
        #expect(wrong.violation == .interleavedMessage)
    }

    /// Text is validated while it is decompressed, so the first invalid byte ends the connection.
    @Test(arguments: WebSocketRole.allCases)
    func refusesInvalidTextBeforeTheMessageIsComplete(role: WebSocketRole) {
        var bench = MachineBench(role, Self.settings())
        // An uncompressed block with "a", an invalid byte and "b".
        let block: [UInt8] = [0x00, 0x03, 0x00, 0xFC, 0xFF, 0x61, 0xFF]
        bench.receive(bench.wire.frame(Wire.text, Array(block.dropLast()), final: false, reserved: 4))
        #expect(bench.ends.isEmpty)
        bench.receive(bench.wire.frame(Wire.continuation, [0xFF], final: false))
        #expect(bench.violation == .invalidUTF8)
        var cut = MachineBench(role, Self.settings())
        cut.receive(cut.wire.frame(Wire.text, [0x00, 0x01, 0x00, 0xFE, 0xFF, 0xC3, 0x00], reserved: 4))
        #expect(cut.violation == .invalidUTF8)
        var binary = MachineBench(role, Self.settings())
        binary.receive(binary.wire.frame(Wire.binary, [0x00, 0x01, 0x00, 0xFE, 0xFF, 0xC3, 0x00], reserved: 4))
        #expect(binary.messages == [.binary([0xC3])])
    }
}
