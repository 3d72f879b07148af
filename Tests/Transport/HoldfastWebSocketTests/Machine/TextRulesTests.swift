import HoldfastWebSocket
import Testing

/// Tests that text is validated as UTF-8 over the whole message and refused at the first invalid byte.
@Suite struct TextRulesTests {
    @Test(arguments: WebSocketRole.allCases)
    func acceptsACodePointAcrossFragments(role: WebSocketRole) {
        let bytes = Array("κόσμε 😀 €".utf8)
        for cut in 1..<bytes.count {
            var bench = MachineBench(role)
            bench.receive(
                bench.wire.frame(Wire.text, Array(bytes[..<cut]), final: false)
                    + bench.wire.frame(Wire.ping) + bench.wire.frame(Wire.continuation, Array(bytes[cut...])))
            #expect(bench.messages == [.text("κόσμε 😀 €")])
        }
    }

    @Test(arguments: WebSocketRole.allCases, UTF8ValidatorTests.wrong.map(\.0))
    func refusesInvalidTextWith1007(role: WebSocketRole, bytes: [UInt8]) {
        var bench = MachineBench(role)
        bench.receive(bench.wire.frame(Wire.text, bytes))
        #expect(bench.messages.isEmpty)
        #expect(bench.violation == .invalidUTF8)
        #expect(bench.closes == [1007])
    }

    /// The frame announces one hundred bytes, but the connection ends at the first invalid one.
    @Test(arguments: WebSocketRole.allCases, UTF8ValidatorTests.wrong)
    func refusesInvalidTextAtItsFirstInvalidByte(role: WebSocketRole, wrong: ([UInt8], Int)) {
        var bench = MachineBench(role)
        let payload = Array("good so far ".utf8) + wrong.0 + [UInt8](repeating: 0x61, count: 100)
        let stream = bench.wire.frame(Wire.text, payload, final: false)
        let header = stream.count - payload.count
        let fatal = header + 12 + wrong.1
        for (index, byte) in stream.enumerated() {
            bench.receive([byte])
            #expect((bench.violation == .invalidUTF8) == (index >= fatal))
        }
    }

    @Test(arguments: WebSocketRole.allCases, [[0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98]] as [[UInt8]])
    func refusesTextThatEndsWithinACodePoint(role: WebSocketRole, bytes: [UInt8]) {
        var bench = MachineBench(role)
        bench.receive(bench.wire.frame(Wire.text, bytes, final: false))
        #expect(bench.violation == nil)
        bench.receive(bench.wire.frame(Wire.continuation))
        #expect(bench.violation == .invalidUTF8)
        #expect(bench.messages.isEmpty)
    }

    @Test(arguments: WebSocketRole.allCases)
    func acceptsAnyBinaryData(role: WebSocketRole) {
        var bench = MachineBench(role)
        let bytes: [UInt8] = [0xFF, 0xC0, 0xED, 0xA0, 0x80]
        bench.receive(bench.wire.frame(Wire.binary, bytes))
        #expect(bench.messages == [.binary(bytes)])
    }

    @Test func validatesEachMessageIndependently() {
        var bench = MachineBench(.server)
        bench.receive(bench.wire.frame(Wire.binary, [0xC3]) + bench.wire.frame(Wire.text, [0xA9]))
        #expect(bench.violation == .invalidUTF8)
    }
}
