import HoldfastTestSupport
import Testing

@testable import HoldfastWebSocket

@Suite struct FrameHeaderTests {
    private func parse(
        _ bytes: [UInt8], receiver: WebSocketRole = .client, maximum: Int = 1 << 24
    ) throws -> (header: FrameHeader, size: Int)? {
        try bytes.withUnsafeBytes { pointer in
            try Result { () throws(ReceivingFailure) in
                try FrameHeader.parse(pointer, receiver: receiver, maximumLength: maximum)
            }.get()
        }
    }

    private func violation(
        _ bytes: [UInt8], receiver: WebSocketRole = .client, maximum: Int = 1 << 24
    ) -> WebSocketError.Violation? {
        do {
            _ = try parse(bytes, receiver: receiver, maximum: maximum)
            return nil
        } catch {
            return (error as? ReceivingFailure)?.rule
        }
    }

    @Test(arguments: [0, 1, 125, 126, 127, 65535, 65536, 70_000], WebSocketRole.allCases)
    func encodesLengthsInTheirShortestForm(length: Int, receiver: WebSocketRole) throws {
        let bytes = Wire.header(Wire.binary, length: length, masked: receiver == .server)
        let key = receiver == .server ? MaskKey(rawValue: 0x37FA_213D) : nil
        let header = FrameHeader(opcode: .binary, maskKey: key, length: length)
        let parsed = try #require(try parse(bytes, receiver: receiver))
        #expect(parsed.header == header)
        #expect(parsed.size == bytes.count)
        #expect(header.encodedSize == bytes.count)
        var encoded = [UInt8](repeating: 0, count: FrameHeader.maximumSize)
        let size = encoded.withUnsafeMutableBytes { header.encode(into: $0) }
        #expect(Array(encoded[..<size]) == bytes)
        for count in 0..<bytes.count {
            #expect(try parse(Array(bytes[..<count]), receiver: receiver) == nil)
        }
    }

    @Test(arguments: [(0, Wire.LengthForm.bits16), (125, .bits16), (0, .bits64), (126, .bits64), (65535, .bits64)])
    func refusesLongerLengthForms(length: Int, form: Wire.LengthForm) {
        #expect(violation(Wire.header(Wire.text, length: length, masked: false, form: form)) == .lengthNotMinimal)
    }

    @Test func refusesTheMostSignificantBitOfALength() {
        #expect(violation([0x82, 127, 0x80]) == .lengthOutOfRange)
        #expect(violation([0x82, 127, 0x7F] + [UInt8](repeating: 0xFF, count: 7)) == .frameTooLarge)
    }

    @Test(arguments: 1...7)
    func refusesReservedBitsAtTheFirstByte(bits: Int) {
        #expect(violation([0x80 | UInt8(bits) << 4 | 1]) == .reservedBits)
    }

    @Test(arguments: [3, 4, 5, 6, 7, 11, 12, 13, 14, 15] as [UInt8])
    func refusesReservedOpcodesAtTheFirstByte(opcode: UInt8) {
        #expect(violation([0x80 | opcode]) == .reservedOpcode)
        #expect(violation([opcode]) == .reservedOpcode)
    }

    @Test(arguments: [Wire.close, Wire.ping, Wire.pong])
    func refusesLongOrFragmentedControlFrames(opcode: UInt8) {
        #expect(violation([opcode]) == .fragmentedControlFrame)
        #expect(violation([0x80 | opcode, 126]) == .controlFrameTooLong)
        #expect(violation([0x80 | opcode, 127]) == .controlFrameTooLong)
        #expect(violation([0x80 | opcode, 125]) == nil)
    }

    @Test func requiresTheMaskOfTheRole() {
        #expect(violation([0x81, 0x80], receiver: .client) == .maskedByServer)
        #expect(violation([0x81, 0x00], receiver: .server) == .unmaskedByClient)
    }

    @Test func acceptsAFrameOfExactlyTheLimit() throws {
        #expect(violation(Wire.header(Wire.text, length: 1000, masked: false), maximum: 1000) == nil)
        #expect(violation(Wire.header(Wire.text, length: 1001, masked: false), maximum: 1000) == .frameTooLarge)
        // A control frame has its own limit, so a small limit for data does not forbid it.
        #expect(violation(Wire.header(Wire.ping, length: 125, masked: false), maximum: 1) == nil)
    }

    /// For any bytes, the result for a prefix does not change with more bytes, and nothing traps.
    @Test func resultForAPrefixIsFinal() {
        var generator = SeededGenerator(seed: 2)
        var contradictions = 0
        for _ in 0..<5000 {
            let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            let receiver: WebSocketRole = Bool.random(using: &generator) ? .client : .server
            var refused: WebSocketError.Violation?
            var accepted: FrameHeader?
            for count in 0...bytes.count {
                do {
                    let header = try parse(Array(bytes[..<count]), receiver: receiver)?.header
                    if refused != nil || (accepted != nil && header != accepted) { contradictions += 1 }
                    accepted = header
                } catch {
                    let rule = (error as? ReceivingFailure)?.rule
                    if accepted != nil || (refused != nil && refused != rule) { contradictions += 1 }
                    refused = rule
                }
            }
            if (accepted == nil) == (refused == nil) { contradictions += 1 }
        }
        #expect(contradictions == 0)
    }
}
