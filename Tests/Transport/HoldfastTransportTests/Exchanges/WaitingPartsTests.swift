import Testing

@testable import HoldfastTransport

/// The parts that wait for a slow reader.
@Suite struct WaitingPartsTests {
    /// A server sends its body in chunks of one byte. The waiting bytes are stored together, not as one array each.
    @Test func manySmallParts() {
        let bytes = (0..<50_000).map { UInt8($0 & 0xFF) }
        var parts = WaitingParts()
        for byte in bytes { parts.keep([byte]) }
        #expect(parts.count < 20)
        #expect(parts.takeAll() == bytes)
        #expect(parts.isEmpty)
    }

    @Test func largePartsAreNotCopied() {
        var parts = WaitingParts()
        for _ in 0..<3 { parts.keep([UInt8](repeating: 1, count: 64 * 1024)) }
        #expect(parts.count == 3)
        #expect(parts.takeAll().count == 3 * 64 * 1024)
    }
}
