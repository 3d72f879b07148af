import HoldfastTestSupport
import HoldfastWebSocket
import Testing

@Suite struct MaskKeyTests {
    @Test func masksTheRFCExample() {
        // RFC 6455, 5.7: a single-frame masked text message.
        var bytes = Array("Hello".utf8)
        bytes.withUnsafeMutableBytes { MaskKey(rawValue: 0x37FA_213D).apply(to: $0) }
        #expect(bytes == [0x7F, 0x9F, 0x4D, 0x51, 0x58])
    }

    @Test func masksEveryLengthOffsetAndAlignmentLikeTheBytewiseRule() {
        var generator = SeededGenerator(seed: 1)
        let key = UInt32.random(in: .min ... .max, using: &generator)
        let keyBytes = withUnsafeBytes(of: key.bigEndian) { Array($0) }
        for length in 0...80 {
            let source = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            for offset in 0..<6 {
                let expected = source.enumerated().map { $1 ^ keyBytes[($0 + offset) % 4] }
                for shift in 0..<8 {
                    var room = [UInt8](repeating: 0xEE, count: length + 16)
                    room.withUnsafeMutableBytes { all in
                        let part = UnsafeMutableRawBufferPointer(rebasing: all[shift..<(shift + length)])
                        source.withUnsafeBytes { MaskKey(rawValue: key).copy($0, to: part, offset: offset) }
                    }
                    #expect(Array(room[shift..<(shift + length)]) == expected)
                    #expect(
                        room[..<shift].allSatisfy { $0 == 0xEE } && room[(shift + length)...].allSatisfy { $0 == 0xEE })
                }
            }
        }
    }
}
