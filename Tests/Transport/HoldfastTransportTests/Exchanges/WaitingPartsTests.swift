import Testing

@testable import HoldfastTransport

/// What waits for a reader that takes its time.
@Suite struct WaitingPartsTests {
    /// A server that sends its body in chunks of one byte: what waits is as many bytes, and not as many arrays.
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
